"""Run the enabled rules over one module; a rule that crashes is named and stops no other."""

from __future__ import annotations

import os
from typing import NamedTuple

import libcst as cst

from dnnlint import rules as catalogue
from dnnlint.config.model import RuleSettings
from dnnlint.engine.analyse import Subject
from dnnlint.program import Program, build_program
from dnnlint.rule import NodeEdit, OptionValue, Report, Rule


class RuleReport(NamedTuple):
    """A report and the rule that made it."""

    rule: Rule
    report: Report


class Run(NamedTuple):
    """The outcome of the rules over one module."""

    reports: tuple[RuleReport, ...] = ()
    crashes: tuple[str, ...] = ()
    """A message about each rule that crashed."""
    read: tuple[str, ...] = ()
    """The other files that were used."""
    is_linked: bool = False
    """Whether reports may point into other files, which report them themselves."""


def run_rules(module: cst.Module, text: str, settings: RuleSettings, subject: Subject) -> Run:
    """Run every enabled rule."""
    rules = (*catalogue.all_rules(), *(rule for plugin in settings.plugins for rule in plugin.rules))
    enabled = [rule for rule in rules if rule.code in settings.severity]
    if not enabled:
        return Run()
    try:
        program = build_program(module, subject.path, subject.tree, text)
    except RecursionError:
        raise
    except Exception as error:
        return Run(crashes=(f"the analysis crashed: {_describe(error)}",))
    reports: list[RuleReport] = []
    crashes: list[str] = []
    for rule in enabled:
        outcome = _run_rule(rule, program, settings)
        if isinstance(outcome, str):
            crashes.append(outcome)
        else:
            reports += outcome
    return Run(tuple(reports), tuple(crashes), tuple(program.linker.read), program.linker.is_linked)


def _run_rule(rule: Rule, program: Program, settings: RuleSettings) -> list[RuleReport] | str:
    try:
        reports: dict[int, Report] = {}
        for report in rule.check(program, options_of(rule, settings)):
            _require_form(report)
            # A call that stands in several events, of a function that is called twice, is reported once.
            reports.setdefault(id(report.node), report)
        return [RuleReport(rule, report) for report in reports.values()]
    except RecursionError as error:
        if _plugin_of(rule, settings) is None:
            raise  # the file is nested too deeply
        return describe_crash(rule, error, settings)
    except (Exception, SystemExit) as error:
        return describe_crash(rule, error, settings)


def describe_crash(rule: Rule, error: BaseException, settings: RuleSettings) -> str:
    """Name a rule, what it raised and where, in one line."""
    plugin = _plugin_of(rule, settings)
    owner = f" of plug-in {plugin}" if plugin is not None else ""
    return f"rule {rule.name} ({rule.code}){owner} crashed: {_describe(error)}"


def _plugin_of(rule: Rule, settings: RuleSettings) -> str | None:
    return next((plugin.name for plugin in settings.plugins if rule in plugin.rules), None)


def _require_form(report: object) -> None:
    """A plug-in may yield anything; what is no report is a crash of its rule here, not of the engine later."""
    if not isinstance(report, Report):
        raise TypeError(f"expected a report, found {type(report).__name__}")
    parts: list[tuple[object, type]] = [(report.node, cst.CSTNode), (report.message, str), (report.help, str)]
    parts += [(report.fix_description, str), (report.edits, tuple)]
    if all(isinstance(part, kind) for part, kind in parts):
        parts += [part for edit in report.edits for part in ((edit, NodeEdit), (getattr(edit, "node", 0), cst.CSTNode))]
    for part, kind in parts:
        if not isinstance(part, kind):
            raise TypeError(f"a report holds a {type(part).__name__} in place of a {kind.__name__}")


def options_of(rule: Rule, settings: RuleSettings) -> dict[str, OptionValue]:
    """The options of a rule: its defaults and what the configuration sets."""
    defaults = {option.name: option.default for option in rule.options}
    return {**defaults, **settings.options.get(rule.code, {})}


def _describe(error: BaseException) -> str:
    place = ""
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        place = f" ({os.path.basename(code.co_filename)}:{traceback.tb_lineno})"
        traceback = traceback.tb_next
    return f"{type(error).__name__}: {error}{place}"

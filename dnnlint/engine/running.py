"""Run the enabled rules over one module; a rule that crashes is named and stops no other."""

from __future__ import annotations

from typing import NamedTuple

import libcst as cst

from dnnlint import rules as catalogue
from dnnlint.config.model import RuleSettings
from dnnlint.engine.analyse import Subject
from dnnlint.engine.crashes import describe, describe_crash, options_of
from dnnlint.program import Program, build_program
from dnnlint.rule import Report, Rule


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
    enabled = [rule for rule in catalogue.all_rules() if rule.check is not None and rule.code in settings.severity]
    if not enabled:
        return Run()
    try:
        program = build_program(module, subject.path, subject.tree, text)
    except RecursionError:
        raise
    except Exception as error:
        return Run(crashes=(f"the analysis crashed: {describe(error)}",))
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
        for report in rule.check(program, options_of(rule, settings)) if rule.check else ():
            # A call that stands in several events, of a function that is called twice, is reported once.
            reports.setdefault(id(report.node), report)
        return [RuleReport(rule, report) for report in reports.values()]
    except RecursionError:
        raise
    except Exception as error:
        return describe_crash(rule, error)

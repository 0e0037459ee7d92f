"""Run the enabled rules over one module; a rule that crashes is named and stops no other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import libcst as cst

from dnnlint import rules as catalogue
from dnnlint.config.model import RuleSettings
from dnnlint.engine.analyse import Subject
from dnnlint.engine.crashes import describe, describe_crash, options_of, plugin_of
from dnnlint.facts import collect_facts
from dnnlint.program import Program, build_program
from dnnlint.program.notes import Notes, notes_on
from dnnlint.program.units import PARSED, Unit
from dnnlint.project.tree import ProjectTree
from dnnlint.rule import NodeEdit, Report, Rule

_KEPT_RUNS = 3
_MOST_SHARED_UNITS = 60
"""How many files the scripts of a cluster may have in all, each counted for every script that uses it."""


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
    notes: Notes | None = None


def run_rules(module: cst.Module, text: str, settings: RuleSettings, subject: Subject) -> Run:
    """Run every enabled rule on a module; one that belongs to a program of several files is judged with the others."""
    rules = (*catalogue.all_rules(), *(rule for plugin in settings.plugins for rule in plugin.rules))
    enabled = [rule for rule in rules if rule.check is not None and rule.code in settings.severity]
    if not enabled:
        return Run()
    tree = subject.tree
    if tree is None or not subject.path:
        return _run_on(enabled, lambda: build_program(module), settings)
    unit = known_unit(subject, text) or Unit(subject.path, text, module, collect_facts(module))
    PARSED.put(unit)
    is_linked = tree.is_member(subject.path)
    if len(tree.cluster(subject.path)) == 1:
        return _run_on(enabled, lambda: build_program(unit, tree), settings)._replace(is_linked=is_linked)
    shared = shared_run(enabled, unit, tree, settings)
    local = [rule for rule in enabled if rule.is_local]
    own = _run_on(local, lambda: build_program(unit, tree), settings) if local else Run()
    reports = (*shared.by_path.get(subject.path, ()), *shared.loose, *own.reports)
    crashes = (*shared.crashes, *own.crashes)
    read = tuple(path for path in shared.read if path != subject.path)
    return Run(reports, crashes, read, is_linked=True, notes=shared.notes)


class SharedRun(NamedTuple):
    """The outcome of the rules over the modules of one program."""

    units: tuple[Unit, ...]
    by_path: dict[str, list[RuleReport]]
    loose: tuple[RuleReport, ...]
    """Reports on nodes whose file is not known at once."""
    crashes: tuple[str, ...]
    read: tuple[str, ...]
    notes: Notes | None


def known_unit(subject: Subject, text: str) -> Unit | None:
    """The module of this very text that an earlier file of the run was judged with."""
    for run in subject.tree.runs.values() if subject.tree is not None else ():
        for unit in run.units if isinstance(run, SharedRun) else ():
            if unit.path == subject.path and unit.text == text:
                return unit
    return PARSED.known(subject.path, text)


def shared_run(enabled: list[Rule], unit: Unit, tree: ProjectTree, settings: RuleSettings) -> SharedRun:
    """The rules over the program that a module belongs to, carried out once for all of its files."""
    key = (tree.cluster(unit.path), settings.key)
    known = tree.runs.get(key)
    if isinstance(known, SharedRun) and unit in known.units:
        return known
    contents = ((path, tree.data(path)) for path in key[0])
    loaded = (unit if path == unit.path else PARSED.load(path, data) for path, data in contents if data is not None)
    units = [found for found in loaded if found is not None]
    rules = [rule for rule in enabled if not rule.is_local]
    reports: dict[tuple[str, int], RuleReport] = {}
    crashes: dict[str, None] = {}
    read: dict[str, None] = {}
    notes: dict[str, tuple[str, ...]] = {}
    for program in programs(units, tree):
        outcome = _run_on(rules, lambda made=program: made, settings)  # type: ignore[misc]  # bound in each round
        for reported in outcome.reports:
            reports.setdefault((reported.rule.code, id(reported.report.node)), reported)
        crashes.update(dict.fromkeys(outcome.crashes))
        read.update(program.linker.read)
        for path, texts in (outcome.notes or {}).items():
            notes[path] = tuple(dict.fromkeys((*notes.get(path, ()), *texts)))
    by_path, loose = _by_path(tuple(reports.values()), units)
    run = SharedRun(tuple(units), by_path, loose, tuple(crashes), tuple(read), notes)
    while len(tree.runs) >= _KEPT_RUNS:
        tree.runs.pop(next(iter(tree.runs)))
    tree.runs[key] = run
    return run


def programs(units: list[Unit], tree: ProjectTree) -> Iterator[Program]:
    """A program for each script of the cluster with what it imports: what a sibling does says nothing about it.

    With too many scripts over too many files, all of them are one program.
    """
    reached = {unit.path: tree.reachable(unit.path) for unit in units}
    entries = [unit for unit in units if not any(unit.path in reached[other.path] for other in units if other != unit)]
    parts = [[unit for unit in units if unit is entry or unit.path in reached[entry.path]] for entry in entries]
    covered = {unit.path for part in parts for unit in part}
    if sum(map(len, parts)) > _MOST_SHARED_UNITS or len(covered) < len(units):
        parts = [units]
    for part in parts:
        yield Program(part, tree, [unit for unit in units if unit not in part])


def _by_path(
    reports: tuple[RuleReport, ...], units: list[Unit]
) -> tuple[dict[str, list[RuleReport]], tuple[RuleReport, ...]]:
    """Reports by the file that their node stands in."""
    by_path: dict[str, list[RuleReport]] = {}
    loose: list[RuleReport] = []
    owners = {key: unit.path for unit in units for key in unit.node_ids} if reports else {}
    for reported in reports:
        path = owners.get(id(reported.report.node))
        if path is None:
            loose.append(reported)
        else:
            by_path.setdefault(path, []).append(reported)
    return by_path, tuple(loose)


def _run_on(rules: list[Rule], build: Callable[[], Program], settings: RuleSettings) -> Run:
    try:
        program = build()
    except RecursionError:
        raise
    except Exception as error:
        return Run(crashes=(f"the analysis crashed: {describe(error)}",))
    reports: list[RuleReport] = []
    crashes: list[str] = []
    for rule in rules:
        outcome = _run_rule(rule, program, settings)
        if isinstance(outcome, str):
            crashes.append(outcome)
        else:
            reports += outcome
    read = tuple(path for path in program.linker.read if path != program.linker.own.path)
    return Run(tuple(reports), tuple(crashes), read, notes=notes_on(program))


def _run_rule(rule: Rule, program: Program, settings: RuleSettings) -> list[RuleReport] | str:
    try:
        reports: dict[int, Report] = {}
        for report in rule.check(program, options_of(rule, settings)) if rule.check is not None else ():
            _require_form(report)
            # A call that stands in several events, of a function that is called twice, is reported once.
            reports.setdefault(id(report.node), report)
        return [RuleReport(rule, report) for report in reports.values()]
    except RecursionError as error:
        if plugin_of(rule, settings) is None:
            raise  # the file is nested too deeply
        return describe_crash(rule, error, settings)
    except (Exception, SystemExit) as error:
        return describe_crash(rule, error, settings)


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

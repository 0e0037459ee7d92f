"""Give reports their place in the text, drop those that a comment silences, and attach the fixes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import libcst as cst

from dnnlint.config.model import RuleSettings
from dnnlint.config.selectors import Selectors
from dnnlint.engine.builtin import engine_finding
from dnnlint.engine.crashes import describe_crash
from dnnlint.engine.edits import edited_nodes, to_fix
from dnnlint.engine.positions import Layout, header_span, lay_out
from dnnlint.engine.running import RuleReport, Run
from dnnlint.engine.source import LineTable
from dnnlint.engine.suppressions import Problem, Suppressions, read_suppressions
from dnnlint.finding import Finding, Severity

_OWN_COMMENT = "dnnlint"


class Placed(NamedTuple):
    """The findings of a file, how many more were suppressed, and which rules misplaced a report."""

    findings: tuple[Finding, ...] = ()
    suppressed: int = 0
    crashes: tuple[str, ...] = ()


class _File(NamedTuple):
    name: str
    text: str
    """The text that offsets count in."""
    layout: Layout
    lines: LineTable
    newline: str
    is_lossless: bool


def place_reports(
    module: cst.Module,
    text: str,
    name: str,
    run: Run,
    settings: RuleSettings,
    selectors: Selectors,
) -> Placed:
    """Turn the reports on a file into findings, ordered by place."""
    selectors = selectors.with_plugins(settings.plugins)
    reports = list(run.reports)
    if not reports and not (_OWN_COMMENT in text or selectors.may_name(text)):
        return Placed()
    file = _lay_out_file(module, text, name, reports)
    if run.is_linked:
        reports = [_own_part(entry, file) for entry in reports if _is_inside(entry.report.node, file, module)]
    extents = partial(_line_extents, file.layout, file.lines)
    suppressions = read_suppressions(file.layout.comments, extents, file.lines, selectors)
    outcomes = [_to_finding_or_crash(reported, file, settings) for reported in reports]
    findings = {outcome for outcome in outcomes if isinstance(outcome, Finding)}
    crashes = tuple(outcome for outcome in outcomes if isinstance(outcome, str))
    kept = {finding for finding in findings if not suppressions.silence(finding.code, finding.line)}
    suppressed = len(findings) - len(kept)
    kept.update(_about_suppressions(suppressions, file, settings))
    return Placed(tuple(sorted(kept, key=lambda finding: finding.sort_key)), suppressed, crashes)


def _line_extents(layout: Layout, lines: LineTable) -> dict[int, tuple[int, int]]:
    """For each line of a statement over several lines, the first and the last line of the statement."""
    extents: dict[int, tuple[int, int]] = {}
    for statement in layout.statements:
        first, last = lines.line(statement.start), lines.line(min(statement.end, statement.header_end))
        if last > first:
            extents.update(dict.fromkeys(range(first, last + 1), (first, last)))
    return extents


def _is_inside(node: cst.CSTNode, file: _File, module: cst.Module | None = None) -> bool:
    return node in file.layout.spans or node is module


def _own_part(reported: RuleReport, file: _File) -> RuleReport:
    """A report without a fix that reaches into another file: only one file is written at a time."""
    if all(_is_inside(node, file) for node in edited_nodes(reported.report)):
        return reported
    return reported._replace(report=replace(reported.report, edits=()))


def _lay_out_file(module: cst.Module, text: str, name: str, reports: list[RuleReport]) -> _File:
    nodes = [node for _, report in reports for node in (report.node, *edited_nodes(report))]
    layout = lay_out(module, nodes)
    is_lossless = layout.length == len(text)
    if not is_lossless:
        # Lone carriage returns and blanks at the very end: the tree stands for a text of its own, with the same lines.
        text = module.code
    return _File(name, text, layout, LineTable(text), module.default_newline, is_lossless)


def _to_finding_or_crash(reported: RuleReport, file: _File, settings: RuleSettings) -> Finding | str:
    """The finding, or what is wrong with a report on a node of another tree or with an impossible edit."""
    try:
        return _to_finding(reported, file, settings)
    except Exception as error:
        return describe_crash(reported.rule, error, settings)


def _to_finding(reported: RuleReport, file: _File, settings: RuleSettings) -> Finding:
    rule, report = reported
    start, end = header_span(report.node, file.layout, file.text)
    line, column = file.lines.place(start)
    end_line, end_column = file.lines.place(end)
    return Finding(
        code=rule.code,
        name=rule.name,
        severity=Severity(settings.severity[rule.code] or report.severity or rule.severity),
        path=file.name,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        message=report.message,
        help=report.help,
        clause=rule.clause,
        fix=to_fix(report, rule.fix, file.layout, file.text, file.newline) if file.is_lossless else None,
    )


def _about_suppressions(suppressions: Suppressions, file: _File, settings: RuleSettings) -> list[Finding]:
    problems = suppressions.about_themselves(settings.severity)
    findings = [_problem_finding(problem, file, settings) for problem in problems]
    return [finding for finding in findings if finding is not None]


def _problem_finding(problem: Problem, file: _File, settings: RuleSettings) -> Finding | None:
    place = file.lines.place(problem.offset)
    end = (place[0], place[1] + problem.length)
    return engine_finding(problem.code, file.name, place, problem.message, settings, end, problem.help)

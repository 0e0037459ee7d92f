"""Check an environment or deployment file: parse, run the rules, place their reports. Imports no libcst."""

from __future__ import annotations

from itertools import pairwise

from dnnlint import rules as catalogue
from dnnlint.config.model import RuleSettings
from dnnlint.config.selectors import Selectors
from dnnlint.deploy.build import Malformed, build_file
from dnnlint.deploy.model import DeployFile
from dnnlint.engine.analyse import Job
from dnnlint.engine.builtin import engine_finding
from dnnlint.engine.crashes import describe_crash, options_of
from dnnlint.engine.model import FileError, FileResult
from dnnlint.engine.source import Comment, LineTable
from dnnlint.engine.suppressions import Suppressions, read_suppressions
from dnnlint.finding import Finding, Fix, FixSafety, Severity
from dnnlint.rule import FileReport, Rule

_TEMPLATE_MESSAGE = "the file is a template, which is not checked before it is rendered"
_TEMPLATE_HELP = "Check what it renders to, for example the output of `helm template`."
_MALFORMED_HELP = "Correct the file: nothing else in it was checked."


def check_deployment(text: str, job: Job, selectors: Selectors) -> FileResult:
    """Analyse the text of a deployment file; never raises for what the file holds."""
    lines = LineTable(text)
    try:
        file = build_file(job.name, job.kind or "", text, job.neighbours)
    except Malformed as problem:
        place = lines.place(min(max(problem.offset, 0), len(text)))
        finding = engine_finding("DNN000", job.name, place, problem.message, job.settings)
        return FileResult((finding,) if finding else ())
    except Exception as error:
        return FileResult(errors=(FileError(job.name, f"the analysis crashed: {type(error).__name__}: {error}"),))
    if file.template is not None:
        return _template(file, job.settings, lines)
    findings, crashes = _findings(file, job.settings, lines)
    suppressions = _suppressions(file, lines, selectors)
    kept = {finding for finding in findings if not suppressions.silence(finding.code, finding.line)}
    suppressed = len(findings) - len(kept)
    for fault in suppressions.about_themselves(job.settings.severity):
        line, column = lines.place(fault.offset)
        end = (line, column + fault.length)
        about = engine_finding(fault.code, file.name, (line, column), fault.message, job.settings, end, fault.help)
        kept.update((about,) if about else ())
    errors = tuple(FileError(job.name, crash) for crash in crashes)
    return FileResult(tuple(sorted(kept, key=lambda finding: finding.sort_key)), suppressed, errors)


def _template(file: DeployFile, settings: RuleSettings, lines: LineTable) -> FileResult:
    place = lines.place(file.template.start if file.template else 0)
    found = engine_finding("DNN003", file.name, place, _TEMPLATE_MESSAGE, settings, None, _TEMPLATE_HELP, "advice")
    # A notice that fails no run: nobody can mend a template for the sake of a linter.
    return FileResult((found,) if found else ())


def _findings(file: DeployFile, settings: RuleSettings, lines: LineTable) -> tuple[set[Finding], list[str]]:
    findings: set[Finding] = set()
    crashes: list[str] = []
    for rule in catalogue.file_rules():
        if rule.code not in settings.severity or rule.check_file is None:
            continue
        try:
            reports: dict[tuple[int, int], FileReport] = {}
            for report in rule.check_file(file, options_of(rule, settings)):
                start, end = report.span
                reports.setdefault((start, end), report)
            findings.update(_finding(rule, report, file, settings, lines) for report in reports.values())
        except Exception as error:
            crashes.append(describe_crash(rule, error, settings))
    return findings, crashes


def _finding(rule: Rule, report: FileReport, file: DeployFile, settings: RuleSettings, lines: LineTable) -> Finding:
    start, end = report.span
    line_end = file.text.find("\n", start)
    end = max(min(end, line_end if line_end >= 0 else len(file.text)), start + 1)
    line, column = lines.place(start)
    end_line, end_column = lines.place(end)
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
        fix=_fix(rule, report),
    )


def _fix(rule: Rule, report: FileReport) -> Fix | None:
    edits = tuple(sorted(report.edits, key=lambda edit: (edit.start, edit.end)))
    if not edits or any(a.end > b.start for a, b in pairwise(edits)):
        return None
    return Fix(rule.fix or FixSafety.DISPLAY, report.fix_description, edits)


def _suppressions(file: DeployFile, lines: LineTable, selectors: Selectors) -> Suppressions:
    comments = [Comment(offset, text) for offset, text in file.comments]
    return read_suppressions(comments, lambda: _extents(file, lines), lines, selectors)


def _extents(file: DeployFile, lines: LineTable) -> dict[int, tuple[int, int]]:
    """A comment on a line of its own stands for the statement below it: a Dockerfile has no other place for one."""
    extents: dict[int, tuple[int, int]] = {}
    for span in file.continued:
        first, last = lines.line(span.start), lines.line(max(span.start, span.end - 1))
        extents.update(dict.fromkeys(range(first, last + 1), (first, last)))
    texts = file.text.split("\n")
    for offset, _ in reversed(file.comments):
        line = lines.line(offset)
        if line <= len(texts) and texts[line - 1].lstrip().startswith("#") and line not in extents:
            extents[line] = (line, extents.get(line + 1, (0, line + 1))[1])
    return extents

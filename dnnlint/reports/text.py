"""The report for people: one line a finding, or the source with the place underlined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from dnnlint.engine.excerpts import Excerpts
from dnnlint.engine.model import RunResult
from dnnlint.reports.escape import escaped

if TYPE_CHECKING:
    from dnnlint.finding import Finding

STYLES = {"error": "bold red", "warning": "bold yellow", "advice": "bold cyan"}
TAB_WIDTH = 4
REPLACEMENT_CHARACTER = "\ufffd"
_MAX_WIDTH = 200
"""Longer source lines, of data or minified code, are cut."""


class Segment(NamedTuple):
    """A piece of text and the style it has on a terminal."""

    text: str
    style: str = ""


def render_concise(run: RunResult, is_quiet: bool) -> Iterator[Segment]:
    """One line for each finding."""
    for finding in run.findings:
        yield from _headline(finding)
    yield from _summary(run, is_quiet)


def render_text(run: RunResult, excerpts: Excerpts, is_quiet: bool) -> Iterator[Segment]:
    """For each finding its headline, the source line with the place underlined, and the help."""
    for finding in run.findings:
        yield from _headline(finding)
        yield from _excerpt(finding, excerpts)
        yield Segment("\n")
    yield from _summary(run, is_quiet)


def _headline(finding: Finding) -> Iterator[Segment]:
    yield Segment(escaped(finding.path), "bold")
    yield Segment(f":{finding.line}:{finding.column}: ")
    yield Segment(finding.severity.value, STYLES[finding.severity.value])
    yield Segment(f" {finding.code} [{finding.name}]{_fix_mark(finding)} ")
    yield Segment(f"{finding.message}\n")


def _fix_mark(finding: Finding) -> str:
    return {"safe": " [*]", "unsafe": " [*unsafe]"}.get(finding.fix.safety.value, "") if finding.fix else ""


def _excerpt(finding: Finding, excerpts: Excerpts) -> Iterator[Segment]:
    line = excerpts.line(finding.path, finding.line)
    margin = " " * len(str(finding.line))
    if line:
        shown = line.rstrip()
        last = finding.end_column if finding.end_line == finding.line else len(shown) + 1
        first = finding.column - 1
        width = max(_width(shown[first : last - 1]), 1)
        if _width(shown[: last - 1]) <= _MAX_WIDTH:
            yield Segment(f"{margin} |\n", "blue")
            yield Segment(f"{finding.line} | ", "blue")
            yield Segment(f"{_printable(shown)[:_MAX_WIDTH]}\n")
            yield Segment(f"{margin} | ", "blue")
            indent = " " * _width(line[:first])
            yield Segment(f"{indent}{'^' * width}\n", STYLES[finding.severity.value])
    if finding.help:
        yield Segment(f"{margin} = ", "blue")
        yield Segment("help: ", "bold")
        yield Segment(f"{finding.help}\n")


def _printable(line: str) -> str:
    """Tabs at a fixed width and control characters replaced, so that the underline stands where it belongs."""
    expanded = line.replace("\t", " " * TAB_WIDTH)
    return "".join(char if char.isprintable() else REPLACEMENT_CHARACTER for char in expanded)


def _width(text: str) -> int:
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if char == "\t":
        return TAB_WIDTH
    if char.isascii():
        return 1
    import unicodedata

    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _summary(run: RunResult, is_quiet: bool) -> Iterator[Segment]:
    if is_quiet:
        return
    files = _count(run.files, "file")
    counts = severity_counts(run)
    suppressed = f", {run.suppressed} suppressed" if run.suppressed else ""
    if run.findings:
        details = ", ".join(_count(number, name) for name, number in counts.items() if number)
        yield Segment(f"Found {_count(len(run.findings), 'finding')} ({details}) in {files}{suppressed}.\n", "bold")
    elif run.files:
        yield Segment(f"No findings in {files}{suppressed}.\n", "bold green" if not run.errors else "bold")
    else:
        yield Segment("No Python files or notebooks found under the given paths.\n", "bold yellow")
    safeties = [finding.fix.safety.value for finding in run.findings if finding.fix]
    safe, unsafe = safeties.count("safe"), safeties.count("unsafe")
    if safe:
        more = f", [*unsafe] {unsafe} more with `--unsafe-fixes`" if unsafe else ""
        yield Segment(f"[*] {safe} fixable with `--fix`{more}.\n")
    elif unsafe:
        yield Segment(f"[*unsafe] {unsafe} fixable with `--fix --unsafe-fixes`.\n")


def severity_counts(run: RunResult) -> dict[str, int]:
    """How many findings there are of each severity, the zeros included."""
    counts = dict.fromkeys(STYLES, 0)
    for finding in run.findings:
        counts[finding.severity.value] += 1
    return counts


def _count(number: int, noun: str) -> str:
    if noun == "advice":
        return f"{number} advice"
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

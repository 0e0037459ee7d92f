"""Annotations for GitHub Actions: one workflow command a finding.

https://docs.github.com/en/actions/writing-workflows/choosing-what-your-workflow-does/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Iterator

from dnnlint.engine.model import RunResult
from dnnlint.finding import Finding, Severity
from dnnlint.reports.escape import escaped

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "notice"}


def render_github(run: RunResult) -> Iterator[str]:
    """One annotation for each finding and each failure; nothing for a clean run."""
    for finding in run.findings:
        yield _annotation(finding)
    for error in run.errors:
        yield f"::error file={_property(error.path)},title=dnnlint::{_data(error.message)}\n"


def _annotation(finding: Finding) -> str:
    file, _, cell = finding.path.partition(":cell ")
    place = f"line={finding.line},endLine={finding.end_line}"
    if finding.line == finding.end_line:  # GitHub ignores columns over several lines
        place += f",col={finding.column},endColumn={finding.end_column}"
    if cell:
        place = "line=1"  # lines of a cell are not lines of the file
    title = f"{finding.code} {finding.name}"
    where = f"cell {cell}, line {finding.line}: " if cell else ""
    message = f"{where}{finding.message}" + (f"\n{finding.help}" if finding.help else "")
    command = _COMMANDS[finding.severity]
    return f"::{command} file={_property(file)},{place},title={_property(title)}::{_data(message)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return escaped(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")

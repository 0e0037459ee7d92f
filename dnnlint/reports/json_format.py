"""The report for programs: schema version 1, described in docs/output.md."""

from __future__ import annotations

import json
from collections.abc import Iterator

from dnnlint.engine.model import RunResult
from dnnlint.finding import Finding, Fix
from dnnlint.reports.text import severity_counts

SCHEMA_VERSION = 1
JsonObject = dict[str, object]


def render_json(run: RunResult) -> Iterator[str]:
    """One JSON document."""
    pages = {code: info.page for code, info in run.rules.items()}
    document: JsonObject = {
        "schema_version": SCHEMA_VERSION,
        "findings": [encode_finding(finding, pages.get(finding.code, "")) for finding in run.findings],
        "summary": {
            "files": run.files,
            "findings": len(run.findings),
            "by_severity": severity_counts(run),
            "suppressed": run.suppressed,
            "errors": [{"path": error.path, "message": error.message} for error in run.errors],
        },
    }
    yield json.dumps(document, indent=2) + "\n"


def encode_finding(finding: Finding, url: str) -> JsonObject:
    """A finding with the keys of the schema; ``cell`` only where there is one."""
    encoded: JsonObject = {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "message": finding.message,
        "help": finding.help,
        "clause": finding.clause,
        "url": url,
        "fix": finding.fix and _encode_fix(finding.fix),
    }
    _, is_cell, cell = finding.path.partition(".ipynb:cell ")
    if is_cell:
        encoded["cell"] = int(cell)
    return encoded


def _encode_fix(fix: Fix) -> JsonObject:
    edits = [{"start": edit.start, "end": edit.end, "text": edit.text} for edit in fix.edits]
    return {"safety": fix.safety.value, "description": fix.description, "edits": edits}

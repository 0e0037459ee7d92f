"""Findings as plain JSON values, for the cache and for reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.engine.model import FileResult

if TYPE_CHECKING:
    from dnnlint.finding import Finding, Fix

EncodedFinding = list[object]
"""The fields of a finding in their order, without the path, which is not part of what the cache knows."""


def encode_result(result: FileResult) -> list[object]:
    """A result as JSON values; errors are not kept, since what caused them may be gone the next time."""
    return [result.suppressed, [_encode(finding) for finding in result.findings], list(result.notes)]


def decode_result(values: object, name: str) -> FileResult:
    """The inverse of ``encode_result`` for a file of the given name.

    Raises:
        ValueError, TypeError, KeyError: the values were not written by ``encode_result``.
    """
    suppressed, findings, notes = values  # type: ignore[misc]  # checked by the unpacking
    decoded = tuple(_decode(fields, name) for fields in findings)  # type: ignore[has-type]
    return FileResult(decoded, int(suppressed), notes=tuple(map(str, notes)))  # type: ignore[has-type]


def _encode(finding: Finding) -> EncodedFinding:
    fix = finding.fix
    encoded_fix = fix and [fix.safety.value, fix.description, [[e.start, e.end, e.text] for e in fix.edits]]
    cell = finding.path.rpartition(".ipynb:")[2] if ".ipynb:cell " in finding.path else ""
    place = [finding.line, finding.column, finding.end_line, finding.end_column]
    texts = [finding.message, finding.help, finding.clause]
    return [finding.code, finding.name, finding.severity.value, cell, *place, *texts, encoded_fix]


def _decode(fields: list[object], name: str) -> Finding:
    code, rule, severity, cell, line, column, end_line, end_column, message, text_help, clause, fix = fields
    from dnnlint.finding import Finding, Severity

    return Finding(
        str(code),
        str(rule),
        Severity(severity),
        f"{name}:{cell}" if cell else name,
        _int(line),
        _int(column),
        _int(end_line),
        _int(end_column),
        str(message),
        str(text_help),
        str(clause),
        _decode_fix(fix) if fix else None,
    )


def _decode_fix(fields: object) -> Fix:
    safety, description, edits = fields  # type: ignore[misc]  # checked by the unpacking
    from dnnlint.finding import Edit, Fix, FixSafety

    return Fix(FixSafety(safety), description, tuple(Edit(*edit) for edit in edits))  # type: ignore[has-type]


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"expected an integer, found {value!r}")
    return value

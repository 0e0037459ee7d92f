"""Apply fixes to the text of a file; nothing is kept that does not do exactly what it promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from dnnlint.engine.model import FileResult
from dnnlint.finding import Edit, Finding, FixSafety

Recheck = Callable[[str], FileResult]
"""Checks a text with the settings of the file."""


class FixOutcome(NamedTuple):
    """A fixed text, how many findings that removed, and which fixes were refused."""

    text: str
    applied: int
    refused: tuple[Finding, ...]


def fix_text(text: str, findings: Iterable[Finding], safeties: frozenset[FixSafety], recheck: Recheck) -> FixOutcome:
    """Apply the fixes of findings in rounds, since the fixes of one round must not overlap.

    A round counts only when its findings are gone afterwards and no other finding is new. Every round lowers the number
    of findings or refuses a fix, so the rounds come to an end.
    """
    current = list(findings)
    refused: dict[tuple[str, ...], Finding] = {}
    applied = 0
    while batch := _batch(finding for finding in current if _is_wanted(finding, safeties, refused, text)):
        attempt = _attempt(text, batch, current, recheck)
        if attempt is None and len(batch) > 1:
            batch, attempt = _first_that_works(text, batch, current, recheck)
        if attempt is None:
            refused.update((_identity(finding, text), finding) for finding in batch)
            continue
        text, current = attempt
        applied += len(batch)
    return FixOutcome(text, applied, tuple(refused.values()))


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Replace character ranges that do not overlap."""
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += (text[position : edit.start], edit.text)
        position = edit.end
    return "".join((*pieces, text[position:]))


def _is_wanted(
    finding: Finding, safeties: frozenset[FixSafety], refused: dict[tuple[str, ...], Finding], text: str
) -> bool:
    return finding.fix is not None and finding.fix.safety in safeties and _identity(finding, text) not in refused


def _identity(finding: Finding, text: str) -> tuple[str, ...]:
    """What stays of a finding when other fixes move it."""
    edits = finding.fix.edits if finding.fix else ()
    replaced = [f"{text[edit.start : edit.end]}\0{edit.text}" for edit in edits]
    return (finding.code, finding.message, *replaced)


def _batch(candidates: Iterable[Finding]) -> list[Finding]:
    """The first findings whose edits do not get in each other's way."""
    batch: list[Finding] = []
    taken: set[Edit] = set()
    for finding in candidates:
        edits = finding.fix.edits if finding.fix else ()
        if all(edit in taken or not any(_collide(edit, other) for other in taken) for edit in edits):
            batch.append(finding)
            taken.update(edits)
    return batch


def _collide(a: Edit, b: Edit) -> bool:
    if a.start == a.end and b.start == b.end:
        return a.start == b.start  # two insertions at one place have no order
    return a.start < b.end and b.start < a.end


def _attempt(
    text: str, batch: list[Finding], current: list[Finding], recheck: Recheck
) -> tuple[str, list[Finding]] | None:
    # An edit that two fixes share, such as an added import, is made once.
    edits = {edit for finding in batch if finding.fix for edit in finding.fix.edits}
    changed = apply_edits(text, edits)
    if changed == text:
        return None
    result = recheck(changed)
    allowed = Counter(finding.code for finding in current)
    allowed.subtract(finding.code for finding in batch)
    left = Counter(finding.code for finding in result.findings)
    if result.errors or any(count > allowed[code] for code, count in left.items()):
        return None
    return changed, list(result.findings)


def _first_that_works(
    text: str, batch: list[Finding], current: list[Finding], recheck: Recheck
) -> tuple[list[Finding], tuple[str, list[Finding]] | None]:
    for finding in batch:
        attempt = _attempt(text, [finding], current, recheck)
        if attempt is not None:
            return [finding], attempt
    return batch, None

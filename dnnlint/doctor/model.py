"""What the doctor reports: rows with a status, what was found and what to do."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass


class Status(enum.Enum):
    """How a row of the checklist stands."""

    OK = "ok"
    ATTENTION = "attention"
    """It works, and something is worth a look."""
    WRONG = "wrong"
    """Training fails, or does not use what is here."""
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the checklist.

    ``is_failure`` marks a "cannot tell" that comes from a probe that failed, and not from something that is known to be
    absent: unknown is never green.
    """

    topic: str
    name: str
    status: Status
    found: str
    advice: str = ""
    clause: str = "S6.1"
    is_failure: bool = False


def exit_code(rows: Sequence[Row], fail_on_attention: bool) -> int:
    """1 when something is wrong, 2 when nothing is but a probe failed, else 0."""
    failing = {Status.WRONG, Status.ATTENTION} if fail_on_attention else {Status.WRONG}
    if any(row.status in failing for row in rows):
        return 1
    return 2 if any(row.is_failure for row in rows) else 0

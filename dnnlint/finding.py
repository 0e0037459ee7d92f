"""What a check reports: findings, their place, severity and automatic fixes."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Severity(enum.Enum):
    """How much a finding matters; only ERROR and WARNING fail a run by default."""

    ERROR = "error"
    """The run is wrong or dies."""
    WARNING = "warning"
    """A violation of the specification or a real waste."""
    ADVICE = "advice"
    """Correct code for which something better exists; never decides the exit code."""

    @property
    def rank(self) -> int:
        """0 for the most severe, so that findings sort by importance."""
        return ("error", "warning", "advice").index(self.value)


class FixSafety(enum.Enum):
    """When a fix may be applied."""

    SAFE = "safe"
    """Keeps the meaning of the program; applied by ``--fix``."""
    UNSAFE = "unsafe"
    """May change what the program computes; applied only with ``--unsafe-fixes``."""
    DISPLAY = "display"
    """Shown as a suggestion, never written."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters ``[start, end)`` of the decoded source by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that remove one finding; they are applied together or not at all."""

    safety: FixSafety
    description: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding at a place in a file. Lines and columns count from 1; the end column is exclusive."""

    code: str
    name: str
    severity: Severity
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    help: str
    clause: str
    fix: Fix | None = None

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Findings are reported by place, then by code."""
        return (self.path, self.line, self.column, self.code, self.message)

"""What the steps of a check hand to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dnnlint.rules import rule_index

if TYPE_CHECKING:
    from dnnlint.finding import Finding
    from dnnlint.rules import RuleInfo


class FileError(NamedTuple):
    """A failure that is not the fault of the checked code: an unreadable file, a crash of a rule."""

    path: str
    message: str


class FileResult(NamedTuple):
    """The outcome of one file. Findings carry its name and are in order of place."""

    findings: tuple[Finding, ...] = ()
    suppressed: int = 0
    errors: tuple[FileError, ...] = ()
    read: tuple[str, ...] = ()
    """The absolute paths of other files whose content decided about the result."""
    is_linked: bool = False
    """Whether it also depends on which files of the project import this one and which it imports."""
    notes: tuple[str, ...] = ()
    """What of the file is not judged."""


class FileNote(NamedTuple):
    """What of a file is not judged, in words."""

    path: str
    text: str


class RunResult(NamedTuple):
    """The outcome of a check."""

    files: int
    findings: tuple[Finding, ...]
    suppressed: int
    errors: tuple[FileError, ...]
    is_failure: bool
    """Whether a finding is at or above the ``fail-on`` of its file."""
    cached: int = 0
    """How many files were answered from the cache."""
    plugin_rules: tuple[RuleInfo, ...] = ()
    """The rules of plug-ins that took part, for the reports that describe rules."""
    notes: tuple[FileNote, ...] = ()

    @property
    def rules(self) -> dict[str, RuleInfo]:
        """Metadata of every rule that can have reported something, by code."""
        return {**rule_index(), **{info.code: info for info in self.plugin_rules}}

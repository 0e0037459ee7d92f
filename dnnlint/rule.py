"""The contract between the engine and a rule: one record, one pure generator."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    import libcst as cst

    from dnnlint.deploy.model import DeployFile
    from dnnlint.finding import Edit, FixSafety, Severity
    from dnnlint.program import Program

API_VERSION = 1
"""Of the interface to plug-ins: this module, the findings, and what docs/plugins.md names of the program."""

OptionValue = Union[bool, int, float, str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of a rule, read from ``[tool.dnnlint.rules.<rule-name>]``; its type is that of the default.

    A number is not negative; the options ``min`` and ``max`` of one rule are the ends of a range.
    """

    name: str
    default: OptionValue
    help: str


@dataclass(frozen=True, slots=True)
class NodeEdit:
    """One textual edit, placed by a syntax node; the engine turns it into character offsets.

    ``where`` is ``replace`` (the node's text), ``before`` or ``after`` (insert beside it), ``line-before`` or
    ``line-after`` (a new line with the same indentation beside the statement line that holds the node).
    """

    where: str
    node: cst.CSTNode
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a rule yields: the node to point at, a message about the user's code, and help on what to do.

    Of several reports of one node by one rule the engine keeps the first. ``tests/test_messages.py`` holds the form of
    the texts. A ``fix_description`` without edits says nothing.
    """

    node: cst.CSTNode
    message: str
    help: str
    severity: Severity | None = None
    """Overrides the severity of the rule, where the catalogue gives two."""
    edits: tuple[NodeEdit, ...] = ()
    fix_description: str = ""


@dataclass(frozen=True, slots=True)
class FileReport:
    """What a rule yields about an environment or deployment file: the characters to point at instead of a node."""

    span: tuple[int, int]
    message: str
    help: str
    severity: Severity | None = None
    edits: tuple[Edit, ...] = ()
    fix_description: str = ""


Settings = Mapping[str, OptionValue]
Check = Callable[["Program", Settings], Iterator[Report]]
FileCheck = Callable[["DeployFile", Settings], Iterator[FileReport]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the catalogue.

    ``check`` reads the program of a Python file, ``check_file`` an environment or deployment file; a rule has one of
    them or both. They are pure: they yield reports and do no I/O. ``fix`` is None where the rule has no automatic fix.
    The documentation lies beside the module of the check, with the suffix ``.md``.
    """

    code: str
    name: str
    severity: Severity
    clause: str
    check: Check | None = None
    fix: FixSafety | None = None
    options: tuple[Option, ...] = ()
    check_file: FileCheck | None = None
    is_local: bool = False
    """Whether a file is judged by its own text alone, not with the files that it is linked with."""

    @property
    def family(self) -> str:
        """The folder of the rule, for example ``amp``."""
        check = self.check or self.check_file
        if check is None:
            raise ValueError(f"{self.code} checks nothing")
        return check.__module__.rsplit(".", 2)[-2]

"""What an expression may stand for, and where it is evaluated.

Two values are the same object where their keys are equal: a key names the place of creation, not the text.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    import libcst as cst

    from dnnlint.facts import Block, Class, Function
    from dnnlint.program.units import Unit


@dataclass(slots=True, eq=False, repr=False)
class Frame:
    """One activation of a function (None for the module): the arguments it was called with and its receiver."""

    function: Function | None
    closure: Frame | None = None
    arguments: dict[str, tuple[Ref, ...]] = field(default_factory=dict)
    receiver: Value | None = None
    caller: Place | None = None
    depth: int = 0
    open_keywords: bool = False
    """Called with ``**kwargs`` or ``*args`` whose content is unknown."""
    extra: tuple[tuple[str, Ref], ...] = ()
    """Keywords that no parameter takes; the content of the ``**`` parameter."""


@dataclass(frozen=True, slots=True)
class Place:
    """A point of evaluation: the frame, the block and the position in evaluation order."""

    frame: Frame
    block: Block
    order: int


@dataclass(frozen=True, slots=True)
class Ref:
    """An expression together with the place where it is evaluated."""

    node: cst.BaseExpression
    place: Place


@dataclass(frozen=True, slots=True)
class Const:
    """A literal: None, True, 4, 1e-3, "float16"."""

    value: bool | int | float | str | None

    @property
    def key(self) -> Hashable:
        """Equal literals of one type are the same value."""
        return ("const", type(self.value).__name__, self.value)


@dataclass(frozen=True, slots=True)
class External:
    """A module, class, function or constant of a library, by its qualified name, not called."""

    qualified: str

    @property
    def key(self) -> Hashable:
        """The qualified name."""
        return ("external", self.qualified)


@dataclass(frozen=True, slots=True)
class ModuleValue:
    """A module of the project; ``unit`` is None for a folder without ``__init__.py``."""

    path: str
    unit: Unit | None

    @property
    def key(self) -> Hashable:
        """The path."""
        return ("module", self.path)


@dataclass(frozen=True, slots=True)
class Result:
    """What a call returns that is not followed: of a library callable, of a method, of an unknown object."""

    callee: Value
    node: cst.Call
    place: Place

    @property
    def key(self) -> Hashable:
        """The call expression in its frame."""
        return ("result", id(self.node), id(self.place.frame), self.callee.key)

    @property
    def qualified(self) -> str:
        """The qualified name of the library callable, or an empty string."""
        return self.callee.qualified if isinstance(self.callee, External) else ""

    @property
    def method(self) -> str:
        """The method name when a method was called, or an empty string."""
        return self.callee.name if isinstance(self.callee, Member) else ""


@dataclass(frozen=True, slots=True)
class Object:
    """An instance of a class of the project; ``node`` is the constructor call where it is known."""

    cls: Class
    node: cst.Call | None
    place: Place

    @property
    def key(self) -> Hashable:
        """The constructor call in its frame, or the class where the construction is not seen."""
        return ("object", id(self.node) if self.node else id(self.cls), id(self.place.frame) if self.node else 0)


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function of the project with its closure and, for a bound method, its receiver."""

    function: Function
    closure: Frame | None
    receiver: Value | None = None
    bound: tuple[tuple[str, Ref], ...] = ()
    """Arguments fixed by ``functools.partial``: ("", ref) positional, (name, ref) by keyword."""

    @property
    def key(self) -> Hashable:
        """The function and its receiver."""
        return ("function", id(self.function), self.receiver.key if self.receiver else None)


@dataclass(frozen=True, slots=True)
class ClassValue:
    """A class of the project, not instantiated."""

    cls: Class
    place: Place

    @property
    def key(self) -> Hashable:
        """The class."""
        return ("class", id(self.cls))


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple or list literal (or what ``prepare`` returns), element by element."""

    refs: tuple[Ref, ...]
    node: cst.CSTNode
    place: Place

    @property
    def key(self) -> Hashable:
        """The literal in its frame."""
        return ("items", id(self.node), id(self.place.frame))


@dataclass(frozen=True, slots=True)
class Table:
    """A dictionary with literal keys; ``complete`` is False where some keys are unknown."""

    refs: tuple[tuple[str, Ref], ...]
    complete: bool
    node: cst.CSTNode
    place: Place

    @property
    def key(self) -> Hashable:
        """The literal in its frame."""
        return ("table", id(self.node), id(self.place.frame))

    def get(self, name: str) -> Ref | None:
        """The last entry under a key."""
        return next((ref for key, ref in reversed(self.refs) if key == name), None)


@dataclass(frozen=True, slots=True)
class Member:
    """An attribute of an object whose insides are not known."""

    base: Value
    name: str

    @property
    def key(self) -> Hashable:
        """The base and the attribute name."""
        return ("member", self.base.key, self.name)


@dataclass(frozen=True, slots=True)
class Element:
    """Something taken out of a value by iteration, subscript or unpacking."""

    base: Value
    index: str

    @property
    def key(self) -> Hashable:
        """The base and the position."""
        return ("element", self.base.key, self.index)


@dataclass(frozen=True, slots=True)
class Opaque:
    """A parameter nobody in the file passes, or a name nobody binds."""

    name: str
    owner: int
    annotation: Ref | None = None

    @property
    def key(self) -> Hashable:
        """The name in its function."""
        return ("opaque", self.owner, self.name)


@dataclass(frozen=True, slots=True)
class Setting:
    """A run-time option: its name, where it is declared (``argparse``, ``dataclass``, ...), its possible defaults."""

    name: str
    source: str
    owner: int
    defaults: tuple[Value, ...]
    node: cst.CSTNode | None = None
    choices: tuple[Value, ...] = ()
    is_fixed: bool = False
    """The record is made in this file with the default, and nothing sets the field afterwards."""

    @property
    def key(self) -> Hashable:
        """The name and the declaring parser, class or function."""
        return ("setting", self.owner, self.name)


@dataclass(frozen=True, slots=True)
class Operation:
    """Any other expression: arithmetic, comparison, formatted text."""

    ref: Ref

    @property
    def key(self) -> Hashable:
        """The expression in its frame."""
        return ("operation", id(self.ref.node), id(self.ref.place.frame))


Value = Union[
    Const,
    External,
    ModuleValue,
    Result,
    Object,
    FunctionValue,
    ClassValue,
    Items,
    Table,
    Member,
    Element,
    Opaque,
    Setting,
    Operation,
]
Values = tuple[Value, ...]


def unique(values: list[Value]) -> Values:
    """Without duplicates, in order, at most sixteen."""
    return tuple({value.key: value for value in values}.values())[:16]

"""Nested data with places: what YAML and TOML files hold, in one form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Union


class Span(NamedTuple):
    """Start and end offset in the text of a file, the end exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text, number, truth value or nothing, as it is written without its quotes."""

    text: str
    span: Span
    style: str = ""
    """The opening quote, ``|`` or ``>``; empty for a plain scalar."""

    @property
    def is_null(self) -> bool:
        """Whether the scalar stands for no value."""
        return not self.style and self.text in ("", "~", "null", "Null", "NULL")


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    items: tuple[Tree, ...]
    span: Span


@dataclass(slots=True)
class Mapping:
    """A table; of a key that is given twice the last value counts, own keys win over merged ones."""

    entries: list[tuple[Scalar, Tree]]
    span: Span
    merged: list[Mapping] = field(default_factory=list)
    """What ``<<`` brings in, the first one first."""

    def get(self, *path: str) -> Tree | None:
        """The value below a path of keys."""
        node: Tree | None = self
        for key in path:
            node = node.value(key) if isinstance(node, Mapping) else None
        return node

    def value(self, key: str) -> Tree | None:
        """The value of one key."""
        found = next((value for name, value in reversed(self.entries) if name.text == key), None)
        if found is None:
            found = next((value for other in self.merged if (value := other.value(key)) is not None), None)
        return found

    def key(self, name: str) -> Scalar | None:
        """The key itself, to point at."""
        return next((key for key, _ in self.entries if key.text == name), None)

    def mapping(self, *path: str) -> Mapping:
        """The table below a path; an empty one when there is none."""
        found = self.get(*path)
        return found if isinstance(found, Mapping) else Mapping([], self.span)

    def text(self, *path: str) -> str:
        """The scalar below a path as text; empty when there is none."""
        found = self.get(*path)
        return found.text if isinstance(found, Scalar) and not found.is_null else ""

    def list(self, *path: str) -> tuple[Tree, ...]:
        """The items of the list below a path; a single scalar counts as a list of one."""
        found = self.get(*path)
        if isinstance(found, Sequence):
            return found.items
        return (found,) if isinstance(found, Scalar) and not found.is_null else ()

    def mappings(self, *path: str) -> Iterator[Mapping]:
        """Those items of the list below a path that are tables."""
        return (item for item in self.list(*path) if isinstance(item, Mapping))

    def items(self) -> Iterator[tuple[Scalar, Tree]]:
        """All keys with their values, merged ones last."""
        seen = set()
        for key, value in self.entries:
            seen.add(key.text)
            yield key, value
        for other in self.merged:
            yield from ((key, value) for key, value in other.items() if key.text not in seen)


Tree = Union[Scalar, Sequence, Mapping]


class Malformed(Exception):
    """Why a file does not parse, with the offset of the place."""

    def __init__(self, message: str, offset: int) -> None:
        """Keep the reason and the place."""
        super().__init__(message)
        self.message = message
        self.offset = offset

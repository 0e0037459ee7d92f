"""Tree-sitter grammars: shell, Dockerfile and TOML, with offsets that count characters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from dnnlint.deploy.tree import Span

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


@cache
def _parser(language: str) -> Parser:
    # Imported here: nothing but a file of the kind pays for its grammar.
    from tree_sitter import Language, Parser

    grammar = import_module(f"tree_sitter_{language}")
    return Parser(Language(grammar.language()))


class Parsed:
    """A syntax tree and its text; tree-sitter counts bytes, everything else here characters."""

    def __init__(self, text: str, language: str) -> None:
        """Parse a text; a parse never fails, faults are nodes of the tree."""
        self.text = text
        # A lone surrogate has no bytes; a question mark keeps the count of characters.
        self._data = text.encode("utf-8", "replace")
        self.root = _parser(language).parse(self._data).root_node
        self._is_ascii = len(self._data) == len(text)

    def span(self, node: Node) -> Span:
        """Where a node stands."""
        if self._is_ascii:
            return Span(node.start_byte, node.end_byte)
        return Span(self._offset(node.start_byte), self._offset(node.end_byte))

    def text_of(self, node: Node) -> str:
        """What a node stands for."""
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _offset(self, position: int) -> int:
        return len(self._data[:position].decode("utf-8", "ignore"))

    def first_error(self) -> Span | None:
        """Where the first fault of the syntax stands."""
        if not self.root.has_error:
            return None
        faults = (node for node in walk(self.root) if node.is_error or node.is_missing)
        first = next(faults, None)
        return self.span(first) if first is not None else None


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it, in the order of the text."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.children))

"""TOML with places: tomllib says whether the text is valid, the grammar says where things stand."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from dnnlint.deploy.grammar import Parsed
from dnnlint.deploy.tree import Malformed, Mapping, Scalar, Sequence, Span, Tree

if TYPE_CHECKING:
    from tree_sitter import Node

_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)| \(at end of document\)")
_QUOTES = ('"""', "'''", '"', "'")


def read_toml(text: str) -> Mapping:
    """The tables of a text.

    Raises:
        Malformed: the text is not TOML.
    """
    _validate(text)
    parsed = Parsed(text, "toml")
    root = Mapping([], Span(0, len(text)))
    for node in parsed.root.named_children:
        if node.type == "pair":
            _add_pair(node, root, parsed)
        elif node.type in ("table", "table_array_element"):
            key, *body = node.named_children
            table = _table(_keys(key, parsed), root, parsed.span(key), is_array=node.type != "table")
            for pair in body:
                if pair.type == "pair":
                    _add_pair(pair, table, parsed)
    return root


def _validate(text: str) -> None:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message = str(error)
        match = _PLACE.search(message)
        offset = len(text)
        if match is not None and match.group(1):
            lines = text.split("\n")
            offset = sum(len(line) + 1 for line in lines[: int(match.group(1)) - 1]) + int(match.group(2)) - 1
        raise Malformed(f"invalid TOML: {_PLACE.sub('', message)}", offset) from error


def _add_pair(node: Node, table: Mapping, parsed: Parsed) -> None:
    named = [child for child in node.named_children if child.type != "comment"]
    if len(named) == 2:
        *path, last = _keys(named[0], parsed)
        _table(path, table, parsed.span(named[0])).entries.append((last, _value(named[1], parsed)))


def _keys(node: Node, parsed: Parsed) -> list[Scalar]:
    """The parts of a key, of which ``a."b.c"`` has two."""
    if node.type == "dotted_key":
        return [part for child in node.named_children for part in _keys(child, parsed)]
    return [Scalar(_unquoted(parsed.text_of(node)), parsed.span(node))]


def _table(path: list[Scalar], root: Mapping, span: Span, is_array: bool = False) -> Mapping:
    """Walk down to a table, making those on the way; of an array of tables the last one is meant."""
    table = root
    for depth, key in enumerate(path, 1):
        value = table.value(key.text)
        if depth == len(path) and is_array:
            new = Mapping([], span)
            items = value.items if isinstance(value, Sequence) else ()
            table.entries = [entry for entry in table.entries if entry[0].text != key.text]
            table.entries.append((key, Sequence((*items, new), span)))
            return new
        if isinstance(value, Sequence) and value.items:
            value = value.items[-1]
        if not isinstance(value, Mapping):
            value = Mapping([], span)
            table.entries.append((key, value))
        table = value
    return table


def _value(node: Node, parsed: Parsed) -> Tree:
    span = parsed.span(node)
    if node.type == "array":
        return Sequence(tuple(_value(child, parsed) for child in node.named_children if child.type != "comment"), span)
    if node.type == "inline_table":
        table = Mapping([], span)
        for child in node.named_children:
            if child.type == "pair":
                _add_pair(child, table, parsed)
        return table
    written = parsed.text_of(node)
    return Scalar(_unquoted(written), span, written[0] if node.type == "string" else "")


def _unquoted(written: str) -> str:
    # Escapes stay as they are: what rules read of TOML, versions and names, has none.
    quote = next((quote for quote in _QUOTES if written.startswith(quote)), "")
    return written[len(quote) : len(written) - len(quote)] if quote else written

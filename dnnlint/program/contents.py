"""What stands in a block of statements, at any depth, without the functions that are defined in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Block, Branch, Call, Loop, Try, With

if TYPE_CHECKING:
    from dnnlint.facts import Function, Item


def items_in(block: Block) -> Iterator[Item]:
    """The facts of a block and of the blocks inside it, in source order."""
    for item in block.items:
        yield item
        for inner in _blocks(item):
            yield from items_in(inner)


def calls_of(function: Function) -> list[Call]:
    """The calls in the body of a function."""
    return [item for item in items_in(function.body) if isinstance(item, Call)]


def statements_of(block: Block) -> list[cst.BaseSmallStatement]:
    """The simple statements that stand directly in a block."""
    body = getattr(block.node, "body", None)
    lines = body if isinstance(body, (list, tuple)) else getattr(body, "body", ())
    found: list[cst.BaseSmallStatement] = []
    for line in lines:
        if isinstance(line, cst.SimpleStatementLine):
            found.extend(line.body)
        elif isinstance(line, cst.BaseSmallStatement):
            found.append(line)
    return found


def _blocks(item: Item) -> tuple[Block, ...]:
    parts: tuple[Block | None, ...] = ()
    if isinstance(item, Branch):
        parts = (item.then, item.orelse)
    elif isinstance(item, Loop):
        parts = (item.body, item.orelse)
    elif isinstance(item, With):
        parts = (item.body,)
    elif isinstance(item, Try):
        parts = (item.body, *item.handlers, item.orelse, item.final)
    return tuple(part for part in parts if part is not None)

"""Inner loops whose rounds depend on each other: the steps of a recurrent network, losses over a whole window.

Such rounds are no micro-batches: the gradient of the whole is the sum over them, without any division.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from dnnlint.facts import Block, Branch, Call, Loop, Try, With, lookup
from dnnlint.program.tree import Event, Kind, Repeat, events

_JOINS = frozenset({"cat", "concat", "concatenate", "stack", "vstack", "hstack"})


def rounds_depend_on_each_other(repeat: Repeat) -> bool:
    """Whether a round of a loop uses what another round makes."""
    body = repeat.loop.body
    if any(_carries_state(event, body) for event in events(repeat.body, Kind.FORWARD, Kind.OPAQUE)):
        return True
    return any(_joins_rounds(call.node) for call in _calls(body) if call.attribute in _JOINS)


def _carries_state(event: Event, body: Block) -> bool:
    """``y, h = cell(x, h)``: an argument that the round itself gives a new value, after the call."""
    if not isinstance(event.call, Call):
        return False
    for argument in event.call.node.args:
        if isinstance(argument.value, cst.Name):
            _, bindings = lookup(event.call.block.scope, argument.value.value)
            inside = [b for b in bindings if b.block is not None and b.block.within(body)]
            if inside and all(binding.order > event.call.order for binding in inside):
                return True
    return False


def _joins_rounds(call: cst.Call) -> bool:
    """``torch.cat(kept[:j] + [z] + kept[j + 1:])``: one of the joined parts is a piece of a list."""
    return any(_has_slice(argument.value) for argument in call.args[:1])


def _has_slice(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.BinaryOperation):
        return _has_slice(node.left) or _has_slice(node.right)
    if isinstance(node, (cst.List, cst.Tuple)):
        return any(isinstance(element, cst.StarredElement) for element in node.elements)
    return isinstance(node, cst.Subscript) and any(isinstance(part.slice, cst.Slice) for part in node.slice)


def _calls(block: Block) -> Iterator[Call]:
    for item in block.items:
        if isinstance(item, Call):
            yield item
        for inner in _blocks(item):
            yield from _calls(inner)


def _blocks(item: object) -> tuple[Block, ...]:
    if isinstance(item, Branch):
        return (item.then, item.orelse) if item.orelse is not None else (item.then,)
    if isinstance(item, (Loop, With)):
        return (item.body,)
    return (item.body, *item.handlers) if isinstance(item, Try) else ()

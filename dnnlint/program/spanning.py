"""Inner loops whose rounds depend on each other: the steps of a recurrent network, losses over a whole window.

Such rounds are no micro-batches: the gradient of the whole is the sum over them, without any division.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from dnnlint.facts import Block, Branch, Call, Loop, Try, With, lookup
from dnnlint.program.tree import Kind, Repeat, events

_JOINS = frozenset({"cat", "concat", "concatenate", "stack", "vstack", "hstack"})


def rounds_depend_on_each_other(repeat: Repeat) -> bool:
    """Whether a round of a loop uses what another round makes."""
    body = repeat.loop.body
    networks = {id(event.call) for event in events(repeat.body, Kind.FORWARD, Kind.OPAQUE)}
    for call in _calls(body):
        if _carries_state(call, body, id(call) in networks):
            return True
        if call.attribute in _JOINS and _joins_rounds(call.node):
            return True
    return False


def _carries_state(call: Call, body: Block, is_network: bool) -> bool:
    """``y, h = cell(x, h)``: an argument that the round gives a new value after the call, or from the call itself."""
    for argument in call.node.args:
        if isinstance(argument.value, cst.Name):
            _, bindings = lookup(call.block.scope, argument.value.value)
            inside = [b for b in bindings if b.block is not None and b.block.within(body)]
            carried = bool(inside) and all(binding.order > call.order for binding in inside)
            if carried and (is_network or any(b.value is call.node and b.path for b in inside)):
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

"""What runs in every round of a loop over batches, and what was made before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.facts import Block, BlockKind, Call
from dnnlint.program.lookups import call_sites
from dnnlint.program.tree import Activation, Kind, Repeat, events, loops_around, walk
from dnnlint.program.values import Element, Items, Member, Object, Operation, Place, Result, Value

if TYPE_CHECKING:
    from dnnlint.program import Program

_SOMETIMES = frozenset(
    {BlockKind.THEN, BlockKind.ELSE, BlockKind.EXCEPT, BlockKind.LOOP_ELSE, BlockKind.CLASS, BlockKind.FINALLY}
)
# Methods of a module whose results are parts of it.
_PARTS = frozenset(
    "modules named_modules children named_children parameters named_parameters get_submodule get_parameter items "
    "values".split()
)


def batch_loops(program: Program, *kinds: str) -> list[Repeat]:
    """The loops that are the innermost around a forward, backward or step (or other events)."""
    wanted = kinds or (Kind.FORWARD, Kind.BACKWARD, Kind.STEP)
    found: dict[int, Repeat] = {}
    for root in program.roots:
        for event in events(root, *wanted):
            for loop in loops_around(event)[:1]:
                if loop.loop.kind in ("for", "while"):
                    found.setdefault(id(loop), loop)
    return list(found.values())


def calls_in_every_round(program: Program, calls: list[Call], loop: Repeat) -> Iterator[tuple[Call, Place]]:
    """Those of the calls that each round runs, directly or in a function it calls, with their places."""
    activations = [node for node in walk(loop.body) if isinstance(node, Activation)]
    for call in calls:
        if call.block.within(loop.loop.body):
            if always_runs(call.block, loop.loop.body):
                yield call, Place(loop.place.frame, call.block, call.order)
            continue
        for node in activations:
            ways = node.call is not None and runs_in_every_round(node, loop)
            if node.function is call.block.function and ways and always_runs(call.block, node.function.body):
                yield call, Place(node.frame, call.block, call.order)
                break
        else:
            function = call.block.function
            if function is not None and always_runs(call.block, function.body):
                # The tree leaves out functions without events.
                callers = call_sites(program.resolver, function)
                if any(always_runs(caller.block, loop.loop.body) for caller in callers):
                    yield call, program.place_of(call)


def runs_in_every_round(node: Activation, loop: Repeat) -> bool:
    """Whether a function call stands in no branch of the loop; loops inside it count as one."""
    caller = node.frame.caller
    while caller is not None:
        if caller.block.within(loop.loop.body):
            return always_runs(caller.block, loop.loop.body)
        if caller.frame.function is None or not always_runs(caller.block, caller.frame.function.body):
            return False
        caller = caller.frame.caller
    return False


def always_runs(block: Block, outer: Block) -> bool:
    """Whether no branch lies between a block and one around it."""
    current: Block | None = block
    while current is not None and current is not outer:
        if current.kind in _SOMETIMES or current.kind == BlockKind.FUNCTION:
            return False
        current = current.parent
    return current is outer


def is_inside(place: Place, loop: Repeat) -> bool:
    """Whether a place lies in the loop, or in a function that is called from there."""
    current: Place | None = place
    while current is not None:
        if current.block.within(loop.loop.body):
            return True
        current = current.frame.caller
    return False


def outlives_round(value: Value, loop: Repeat) -> bool:
    """Whether an object is certainly not made anew by each round of a loop."""
    if isinstance(value, Member):
        return outlives_round(value.base, loop)
    if isinstance(value, Element):
        return _is_part(value.base) and outlives_round(value.base, loop)
    if isinstance(value, Result) and value.method in _PARTS and isinstance(value.callee, Member):
        return outlives_round(value.callee.base, loop)
    if isinstance(value, (Result, Object, Items)):
        return not (isinstance(value, Object) and value.node is None) and not is_inside(value.place, loop)
    return not isinstance(value, Operation) and value.key[0] in ("opaque", "object")  # type: ignore[index]


def _is_part(value: Value) -> bool:
    """Whether taking elements out of a value gives parts of a module."""
    if isinstance(value, Element):
        return _is_part(value.base)
    if isinstance(value, Result) and value.qualified:
        return value.qualified.startswith("torch.nn.")
    return isinstance(value, Member) or (isinstance(value, Result) and value.method in _PARTS)

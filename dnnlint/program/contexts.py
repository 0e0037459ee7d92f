"""The contexts at a place: ``with`` blocks, decorators and exit stacks, also those of callers.

Unlike the tree of events this needs no event at the place: a block that only computes a loss has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dnnlint.facts import Block, BlockKind, Call, Function, With, dotted
from dnnlint.program.values import FunctionValue, Place, Ref, Result

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

MAX_FRAMES = 24


def contexts_of(place: Place) -> Iterator[Ref]:
    """The contexts at a place, innermost first: ``with`` blocks and decorators, also those of callers."""
    for _ in range(MAX_FRAMES):
        frame = place.frame
        block: Block | None = place.block
        while block is not None and block.kind != BlockKind.MODULE:
            owner = block.owner
            if isinstance(owner, With):
                outer = Place(frame, owner.block, owner.order)
                yield from _entered(owner, place)
                yield from (Ref(node, outer) for node in reversed(owner.contexts))
            if block.kind == BlockKind.FUNCTION:
                break
            block = block.parent
        if frame.function is None:
            return
        outer = Place(frame.closure or frame, frame.function.place, frame.function.order)
        yield from (Ref(decorator, outer) for decorator in frame.function.decorators)
        if frame.caller is None:
            return
        place = frame.caller


def with_inner(resolver: Resolver, contexts: Iterable[Ref]) -> Iterator[Ref]:
    """The contexts, and those that a context manager of the project holds around its ``yield``."""
    for ref in contexts:
        yield ref
        for value in resolver.resolve(ref):
            callee = value.callee if isinstance(value, Result) else None
            if isinstance(value, Result) and isinstance(callee, FunctionValue) and _is_manager(callee.function):
                yield from _around_yield(resolver, callee, value)


def _is_manager(function: Function) -> bool:
    return any(dotted(d).rpartition(".")[2] == "contextmanager" for d in function.decorators)


def _around_yield(resolver: Resolver, manager: FunctionValue, value: Result) -> Iterator[Ref]:
    frame = resolver.call_frame(manager, value.node, value.place)
    for jump in manager.function.yields:
        block: Block | None = jump.block
        while block is not None and block.kind != BlockKind.FUNCTION:
            if isinstance(block.owner, With):
                outer = Place(frame, block.owner.block, block.owner.order)
                yield from (Ref(node, outer) for node in block.owner.contexts)
            block = block.parent


def _entered(owner: With, place: Place) -> Iterator[Ref]:
    """What an ``ExitStack`` has entered before a place: ``stack.enter_context(autocast("cuda"))``."""
    for item in reversed(owner.body.items):
        if not isinstance(item, Call) or item.attribute != "enter_context" or item.order >= place.order:
            continue
        if item.node.args:
            yield Ref(item.node.args[0].value, Place(place.frame, item.block, item.order))

"""The contexts at a place: ``with`` blocks, decorators and exit stacks, also those of callers.

Unlike the tree of events this needs no event at the place: a block that only computes a loss has none.
"""

from __future__ import annotations

from collections.abc import Iterator

from dnnlint.facts import Block, BlockKind, Call, With
from dnnlint.program.values import Place, Ref

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


def _entered(owner: With, place: Place) -> Iterator[Ref]:
    """What an ``ExitStack`` has entered before a place: ``stack.enter_context(autocast("cuda"))``."""
    for item in reversed(owner.body.items):
        if not isinstance(item, Call) or item.attribute != "enter_context" or item.order >= place.order:
            continue
        if item.node.args:
            yield Ref(item.node.args[0].value, Place(place.frame, item.block, item.order))

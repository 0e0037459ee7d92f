"""Which bindings of a name can be seen at a place: the last one that always runs, and later conditional ones."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter

from dnnlint.facts import Binding, BindingKind, Block, BlockKind, Scope
from dnnlint.program.values import Frame, Place


def reaching(bindings: list[Binding], place: Place) -> list[Binding]:
    """The bindings that may hold at ``place``, for a name that belongs to the function of the place."""
    if len(bindings) == 1:
        return bindings
    end = bisect_left(bindings, place.order, key=attrgetter("order"))
    start = 0
    renewed_in: Block | None = None
    for index in range(end - 1, -1, -1):
        binding = bindings[index]
        always = binding.block is None or place.block.within(binding.block)
        if always and binding.kind != BindingKind.AUG:
            start, renewed_in = index, binding.block
            break
    found = bindings[start:end]
    # What an iteration leaves behind is seen by the next one, unless the name is bound anew before it is read.
    loop = outermost_loop(place.block, renewed_in)
    if loop is not None:
        carried = [b for b in bindings[end:] if b.block is not None and b.block.within(loop)]
        found.extend(carried)
    return found or bindings


def outermost_loop(block: Block, limit: Block | None = None) -> Block | None:
    """The body of the outermost loop around a block inside its function, or inside the block ``limit``."""
    found = None
    current: Block | None = block
    while current is not None and current is not limit and current.kind not in (BlockKind.FUNCTION, BlockKind.MODULE):
        if current.kind == BlockKind.LOOP:
            found = current
        current = current.parent
    return found


def frame_of_scope(frame: Frame, owner: Scope) -> Frame | None:
    """The frame, along the closure chain, whose function owns a scope; None where the scope is not on it."""
    current: Frame | None = frame
    while current is not None:
        if current.function is None:
            return current if owner.kind == "module" else None
        if current.function.scope is owner:
            return current
        current = current.closure
    return None

"""Where DistributedDataParallel does not synchronise gradients: ``no_sync()`` and the conditions it depends on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Branch
from dnnlint.program.calling import argument
from dnnlint.program.values import Member, Place, Ref, Result

if TYPE_CHECKING:
    from dnnlint.program.conditions import Conditions

_NAMES = ("no_sync", "no_backward_sync")
_MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class HeldBack:
    """A context that holds synchronisation back where all ``tests`` come out as given; without tests it always does."""

    node: cst.BaseExpression
    tests: tuple[tuple[Ref, bool], ...] = ()


def held_back(conditions: Conditions, context: Ref, depth: int = 0) -> HeldBack | None:
    """The condition under which a context expression is ``no_sync()``; None for others and where it does not show."""
    node, place = context.node, context.place
    if depth > _MAX_DEPTH or not _may_be(conditions, context):
        return None
    if isinstance(node, cst.IfExp):
        return _of_choice(conditions, node, place, depth)
    if isinstance(node, (cst.Name, cst.Attribute)):
        return _of_name(conditions, context, depth)
    if isinstance(node, cst.Call):
        return _of_call(conditions, node, place, depth)
    return None


def _may_be(conditions: Conditions, context: Ref) -> bool:
    for value in conditions.resolver.resolve(context):
        if isinstance(value, Result) and value.method in _NAMES:
            return True
        if isinstance(value, Member) and value.name in _NAMES:
            return True
    return False


def _of_choice(conditions: Conditions, node: cst.IfExp, place: Place, depth: int) -> HeldBack | None:
    sides = [held_back(conditions, Ref(side, place), depth + 1) for side in (node.body, node.orelse)]
    found = [side for side in sides if side is not None]
    if len(found) != 1:
        return None
    return HeldBack(found[0].node, ((Ref(node.test, place), found[0] is sides[0]), *found[0].tests))


def _of_name(conditions: Conditions, context: Ref, depth: int) -> HeldBack | None:
    """A name bound once, or on the two sides of a branch; ``model.no_sync`` without the call."""
    if isinstance(context.node, cst.Attribute) and context.node.attr.value in _NAMES:
        return HeldBack(context.node)
    bound = conditions.bindings(context)
    found = [
        (inner, binding.block, place)
        for binding, place in bound
        if isinstance(binding.value, cst.BaseExpression)
        and (inner := held_back(conditions, Ref(binding.value, place), depth + 1)) is not None
    ]
    if len(found) != 1:
        return None
    inner, block, place = found[0]
    if len(bound) == 1:
        return inner
    owner = block.owner if block is not None else None
    if len(bound) != 2 or not isinstance(owner, Branch) or owner.test is None:
        return None
    test = Ref(owner.test, Place(place.frame, owner.block, owner.order))
    return HeldBack(inner.node, ((test, block is owner.then), *inner.tests))


def _of_call(conditions: Conditions, node: cst.Call, place: Place, depth: int) -> HeldBack | None:
    """``model.no_sync()``, ``fabric.no_backward_sync(model, enabled=...)``, or a chosen method that is called."""
    func = node.func
    if isinstance(func, cst.Attribute) and func.attr.value in _NAMES:
        enabled = argument(conditions.resolver, node, place, "enabled", 1) if func.attr.value == _NAMES[1] else None
        return HeldBack(node, ((enabled, True),) if enabled is not None else ())
    return held_back(conditions, Ref(func, place), depth + 1)


def held_back_among(conditions: Conditions, contexts: list[Ref]) -> Iterator[HeldBack]:
    """Those of some contexts that may hold synchronisation back."""
    for context in contexts:
        found = held_back(conditions, context)
        if found is not None:
            yield found

"""Counters of loops: the value a counting name has in the first turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Binding, BindingKind, lookup
from dnnlint.program.calling import argument
from dnnlint.program.literals import number
from dnnlint.program.reaching import frame_of_scope
from dnnlint.program.values import Place, Ref, Result, Value

if TYPE_CHECKING:
    from dnnlint.program.conditions import Conditions
    from dnnlint.program.resolve import Resolver

_PROGRESS_BARS = frozenset({"tqdm", "trange", "track", "auto", "progress_bar"})


def first_value(conditions: Conditions, counter: Ref, test: Place) -> int | None:
    """The value of a counter where a test reads it in the first turn of the loop; None where that is not known."""
    if not isinstance(counter.node, cst.Name):
        return None
    scope, bindings = lookup(counter.place.block.scope, counter.node.value)
    frame = frame_of_scope(counter.place.frame, scope) if scope is not None else None
    if frame is None:
        return None
    if len(bindings) == 1 and bindings[0].kind == BindingKind.PARAM:
        passed = frame.arguments.get(counter.node.value, ())
        return first_value(conditions, passed[0], passed[0].place) if len(passed) == 1 else None
    looped = [b for b in bindings if b.kind == BindingKind.ITER and b.block and b.order < counter.place.order]
    if looped and all(b.kind == BindingKind.ITER for b in bindings):
        return _of_loop(conditions.resolver, looped[-1], Place(frame, looped[-1].block, looped[-1].order))  # type: ignore[arg-type]  # has a block
    return _counted(conditions.resolver, bindings, frame, counter, test)


def _of_loop(resolver: Resolver, binding: Binding, place: Place) -> int | None:
    """``enumerate(x, start)`` at the first position, or ``range(start, ...)``."""
    if not isinstance(binding.value, cst.BaseExpression):
        return None
    for value in resolver.resolve(Ref(binding.value, place)):
        made = _unwrapped(resolver, value)
        if made is None:
            return None
        if made.qualified == "builtins.enumerate" and binding.path == (0,):
            start = argument(resolver, made.node, made.place, "start", 1)
        elif made.qualified == "builtins.range" and binding.path == () and len(made.node.args) < 3:
            start = Ref(made.node.args[0].value, made.place) if len(made.node.args) == 2 else None
        else:
            return None
        found = number(resolver.resolve(start)) if start is not None else 0
        return int(found) if found is not None else None
    return None


def _unwrapped(resolver: Resolver, value: Value) -> Result | None:
    """The ``enumerate`` or ``range`` inside a progress bar."""
    for _ in range(4):
        if not isinstance(value, Result):
            return None
        if value.qualified.rsplit(".", 1)[-1] not in _PROGRESS_BARS or not value.node.args:
            return value
        inner = resolver.resolve(Ref(value.node.args[0].value, value.place))
        if len(inner) != 1:
            return None
        value = inner[0]
    return None


def _counted(resolver: Resolver, bindings: list[Binding], frame: object, counter: Ref, test: Place) -> int | None:
    """A name set once to a number and counted up by one in each turn, before or after the test."""
    starts = [b for b in bindings if b.kind == BindingKind.ASSIGN and isinstance(b.value, cst.BaseExpression)]
    steps = [b for b in bindings if b.kind == BindingKind.AUG]
    if len(starts) != 1 or len(steps) != 1 or len(bindings) != 2 or frame is not counter.place.frame:
        return None
    step, block = steps[0], steps[0].block
    if block is None or starts[0].block is None or not isinstance(step.value, cst.AugAssign):
        return None
    place = Place(counter.place.frame, starts[0].block, starts[0].order)
    start = number(resolver.resolve(Ref(starts[0].value, place)))  # type: ignore[arg-type]  # an expression, see above
    by_one = (
        isinstance(step.value.operator, cst.AddAssign)
        and number(resolver.resolve(Ref(step.value.value, Place(counter.place.frame, block, step.order)))) == 1
    )
    same_turn = test.block.within(block) or block.within(test.block)
    if start is None or not by_one or not same_turn or not test.block.within(block):
        return None
    return int(start) + (1 if step.order < counter.place.order else 0)

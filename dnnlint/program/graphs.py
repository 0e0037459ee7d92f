"""Which calls made the graph that a backward goes through, and whether a loop makes it anew."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import BindingKind, lookup
from dnnlint.program.tree import Event, Repeat
from dnnlint.program.values import Element, External, Items, Member, Operation, Place, Ref, Result, Value

if TYPE_CHECKING:
    from dnnlint.program import Program

_MAX_DEPTH = 30


@dataclass(slots=True)
class GraphSources:
    """The calls behind a loss.

    ``outside``: some run before the loop, so that every round goes through one graph. ``carried``: a call gets a part
    of its own result of the round before. ``unknown``: a part of the loss cannot be followed.
    """

    calls: set[Hashable] = field(default_factory=set)
    outside: bool = False
    carried: bool = False
    unknown: bool = False


def sources_of(program: Program, backward: Event, loop: Repeat) -> GraphSources:
    """The calls whose results the loss of a backward is made of, seen from a loop around it."""
    found = GraphSources()
    if backward.loss is None or _is_added_to(backward.loss):
        found.unknown = True
        return found
    _Search(program, loop, found).follow(backward.loss, ())
    found.unknown = found.unknown or not found.calls
    return found


def _is_added_to(loss: Ref) -> bool:
    """``loss += term``: the terms are not followed."""
    if not isinstance(loss.node, cst.Name):
        return False
    _, bindings = lookup(loss.place.block.scope, loss.node.value)
    return any(binding.kind == BindingKind.AUG for binding in bindings)


class _Search:
    def __init__(self, program: Program, loop: Repeat, found: GraphSources) -> None:
        self._program = program
        self._loop = loop
        self._found = found
        self._seen: set[Hashable] = set()

    def follow(self, ref: Ref, active: tuple[Hashable, ...]) -> None:
        for value in self._program.resolver.resolve(ref):
            self._value(value, active)

    def _value(self, value: Value, active: tuple[Hashable, ...]) -> None:
        if len(active) > _MAX_DEPTH:
            self._found.unknown = True
        elif isinstance(value, Result):
            self._result(value, active)
        elif isinstance(value, Element):
            # What a list holds that is filled and iterated over is not followed.
            self._found.unknown = self._found.unknown or (value.index.startswith("iter") and not active)
            self._value(value.base, active)
        elif isinstance(value, Member):
            self._value(value.base, active)
        elif isinstance(value, Items):
            for ref in value.refs:
                self.follow(ref, active)
        elif isinstance(value, Operation):
            self._operation(value, active)

    def _operation(self, value: Operation, active: tuple[Hashable, ...]) -> None:
        node, place = value.ref.node, value.ref.place
        if isinstance(node, cst.BinaryOperation):
            self.follow(Ref(node.left, place), active)
            self.follow(Ref(node.right, place), active)
        elif isinstance(node, cst.UnaryOperation):
            self.follow(Ref(node.expression, place), active)
        else:
            self._found.unknown = True

    def _result(self, value: Result, active: tuple[Hashable, ...]) -> None:
        if value.key in active:
            self._found.carried = True
            return
        if value.key in self._seen:
            return
        self._seen.add(value.key)
        if value.method in ("detach", "item"):
            return
        inside = self._is_inside(value.place)
        if not isinstance(value.callee, (External, Member)):
            if inside:
                self._found.calls.add(value.key)
            else:
                self._found.outside = True
        inner = (*active, value.key)
        if isinstance(value.callee, Member):
            self._value(value.callee.base, inner)
        for argument in value.node.args:
            self.follow(Ref(argument.value, value.place), inner)

    def _is_inside(self, place: Place) -> bool:
        """Whether a place lies in the loop, or in a function that is called from there."""
        current: Place | None = place
        while current is not None:
            if current.block.within(self._loop.loop.body):
                return True
            current = current.frame.caller
        return False

"""What an expression is worked out from: its parts, and those of the names in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Binding, BindingKind, lookup
from dnnlint.program.reaching import frame_of_scope
from dnnlint.program.values import Operation, Place, Ref, Result

if TYPE_CHECKING:
    from dnnlint.program import Program

_MOST = 200
_SHAPES = (cst.Arg, cst.ComparisonTarget, cst.Element, cst.SubscriptElement, cst.Index)


def ingredients(program: Program, ref: Ref) -> Iterator[Ref]:
    """An expression and everything it is worked out from, through names, calls and ``+=``; each part once."""
    queue = [ref]
    seen: set[tuple[int, int]] = set()
    while queue and len(seen) < _MOST:
        current = queue.pop(0)
        key = (id(current.node), id(current.place.frame))
        if key in seen:
            continue
        seen.add(key)
        yield current
        queue.extend(_parts(current.node, current.place))
        queue.extend(_sources(program, current))


def _parts(node: cst.CSTNode, place: Place) -> Iterator[Ref]:
    for child in node.children:
        if isinstance(child, cst.BaseExpression):
            yield Ref(child, place)
        elif isinstance(child, _SHAPES):
            # The name of a keyword is no part of what is worked out.
            keyword = child.keyword if isinstance(child, cst.Arg) else None
            yield from (part for part in _parts(child, place) if part.node is not keyword)


def _sources(program: Program, ref: Ref) -> Iterator[Ref]:
    """The expressions that give a name or an attribute its value."""
    for binding, place in program.conditions.bindings(ref):
        if isinstance(binding.value, cst.BaseExpression):
            yield Ref(binding.value, place)
    if isinstance(ref.node, cst.Call):
        yield from _returned(program, ref)
    if not isinstance(ref.node, cst.Name):
        return
    scope, bindings = lookup(ref.place.block.scope, ref.node.value)
    frame = frame_of_scope(ref.place.frame, scope) if scope is not None else None
    if frame is None:
        return
    yield from frame.arguments.get(ref.node.value, ()) if any(b.kind == BindingKind.PARAM for b in bindings) else ()
    for binding in bindings:
        value = _assigned(binding)
        if value is not None and binding.block is not None and binding.order < ref.place.order:
            yield Ref(value, Place(frame, binding.block, binding.order))


def _returned(program: Program, call: Ref) -> Iterator[Ref]:
    """What a function of the project returns for a call."""
    for value in program.resolver.resolve(call):
        if isinstance(value, Operation):
            yield value.ref
        elif isinstance(value, Result):
            yield Ref(value.node, value.place)


def _assigned(binding: Binding) -> cst.BaseExpression | None:
    """The right side of ``name += value`` or of ``name, other = value``."""
    if isinstance(binding.value, cst.AugAssign):
        return binding.value.value
    unpacked = binding.kind == BindingKind.ASSIGN and binding.path
    return binding.value if unpacked and isinstance(binding.value, cst.BaseExpression) else None

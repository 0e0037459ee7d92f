"""Values that follow from the defaults of options by arithmetic or a comparison: ``2 * args.batch_size``."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.literals import arithmetic
from dnnlint.program.values import Const, Operation, Ref, Setting, Values

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

_COMPARED: dict[type, Callable[[Const, Const], bool]] = {
    cst.Equal: lambda a, b: a.value == b.value,
    cst.NotEqual: lambda a, b: a.value != b.value,
    cst.Is: lambda a, b: a.key == b.key,
    cst.IsNot: lambda a, b: a.key != b.key,
}
_ORDERED: dict[type, Callable[[float, float], bool]] = {
    cst.LessThan: operator.lt,
    cst.LessThanEqual: operator.le,
    cst.GreaterThan: operator.gt,
    cst.GreaterThanEqual: operator.ge,
}
_MAX_DEPTH = 6


def computed(resolver: Resolver, ref: Ref, depth: int = 0) -> Const | None:
    """The one value of an expression where every option in it has its default; None where that is not known."""
    if depth > _MAX_DEPTH:
        return None
    values = resolver.resolve(ref)
    known = _only(values)
    if known is not None or len(values) != 1 or not isinstance(values[0], Operation):
        return known
    node, place = values[0].ref.node, values[0].ref.place
    if isinstance(node, cst.BinaryOperation):
        left, right = (computed(resolver, Ref(side, place), depth + 1) for side in (node.left, node.right))
        return arithmetic(node.operator, (left,), (right,)) if left is not None and right is not None else None
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        target = node.comparisons[0]
        left, right = (computed(resolver, Ref(side, place), depth + 1) for side in (node.left, target.comparator))
        return _compared(target.operator, left, right) if left is not None and right is not None else None
    return None


def _only(values: Values) -> Const | None:
    if len(values) != 1:
        return None
    value = values[0]
    if isinstance(value, Setting):
        return _only(value.defaults)
    return value if isinstance(value, Const) else None


def _compared(sign: cst.BaseCompOp, left: Const, right: Const) -> Const | None:
    if type(sign) in _COMPARED:
        return Const(_COMPARED[type(sign)](left, right))
    a, b = left.value, right.value
    if type(sign) in _ORDERED and isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return Const(_ORDERED[type(sign)](a, b))
    return None

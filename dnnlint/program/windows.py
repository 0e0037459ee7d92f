"""Accumulation windows: tests such as ``(i + 1) % n == 0`` that decide when the optimizer steps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Binding
from dnnlint.program.literals import number
from dnnlint.program.values import Object, Ref

if TYPE_CHECKING:
    from dnnlint.program.conditions import Conditions

_FRAMEWORK_FLAGS = frozenset({"sync_gradients"})
_FRAMEWORK_CALLS = frozenset({"is_gradient_accumulation_boundary"})


@dataclass(frozen=True, slots=True)
class Window:
    """A window test. ``divisor`` is the window length, ``counter`` the counting expression without its offset.

    ``offset`` is what is added to the counter, ``remainder`` what the modulo is compared with (None where that is
    not a number). ``kind`` is ``modulo``, ``counter`` (compared with the length and reset) or ``framework``.
    ``alternatives`` holds the other tests joined by ``or`` (the last batch). ``holds`` is False for ``!=`` tests.
    """

    kind: str
    divisor: Ref | None
    counter: Ref | None
    offset: int = 0
    remainder: int | None = 0
    alternatives: tuple[Ref, ...] = ()
    holds: bool = True


def window_of(conditions: Conditions, test: Ref, depth: int = 0) -> Window | None:
    """The window that a test describes, through names that stand for it; None for any other test."""
    node, place = test.node, test.place
    if depth > 6:
        return None
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return _negated(window_of(conditions, Ref(node.expression, place), depth + 1))
    if isinstance(node, cst.BooleanOperation):
        return _joined(conditions, test, depth)
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        return _comparison(conditions, test)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo):
        # ``if i % n:`` holds everywhere but at the end of a window.
        return _negated(_modulo(conditions, Ref(node, place), 0))
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _FRAMEWORK_CALLS:
        return Window("framework", None, None)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "bool" and node.args:
        return window_of(conditions, Ref(node.args[0].value, place), depth + 1)
    if isinstance(node, cst.Attribute) and node.attr.value in _FRAMEWORK_FLAGS:
        return Window("framework", None, None)
    if isinstance(node, (cst.Name, cst.Attribute)):
        found = conditions.bindings(test)
        if len(found) == 1 and isinstance(found[0][0].value, cst.BaseExpression):
            return window_of(conditions, Ref(found[0][0].value, found[0][1]), depth + 1)
    return None


def _negated(window: Window | None) -> Window | None:
    return replace(window, holds=not window.holds) if window is not None else None


def _joined(conditions: Conditions, test: Ref, depth: int) -> Window | None:
    node = cst.ensure_type(test.node, cst.BooleanOperation)
    sides = [Ref(node.left, test.place), Ref(node.right, test.place)]
    windows = [window_of(conditions, side, depth + 1) for side in sides]
    for window, other in ((windows[0], sides[1]), (windows[1], sides[0])):
        if window is not None:
            # ``a != end and not last`` is the negation of ``a == end or last``.
            widens = isinstance(node.operator, cst.Or) is window.holds
            return replace(window, alternatives=(*window.alternatives, other)) if widens else window
    return None


def _comparison(conditions: Conditions, test: Ref) -> Window | None:
    node = cst.ensure_type(test.node, cst.Comparison)
    operator, right = node.comparisons[0].operator, node.comparisons[0].comparator
    equal = isinstance(operator, (cst.Equal, cst.Is))
    if not equal and not isinstance(operator, (cst.NotEqual, cst.GreaterThan, cst.GreaterThanEqual)):
        return None
    left = _through_name(conditions, Ref(node.left, test.place))
    if isinstance(left.node, cst.BinaryOperation) and isinstance(left.node.operator, cst.Modulo):
        remainder = _remainder(conditions, Ref(right, test.place), left)
        window = _modulo(conditions, left, remainder)
        return window if equal else _negated(window)
    if isinstance(operator, (cst.Equal, cst.GreaterThanEqual)) and _is_counter(conditions, Ref(node.left, test.place)):
        return Window("counter", Ref(right, test.place), Ref(node.left, test.place), 0, None)
    return None


def _through_name(conditions: Conditions, ref: Ref) -> Ref:
    if isinstance(ref.node, cst.Name):
        found = conditions.bindings(ref)
        if len(found) == 1 and isinstance(found[0][0].value, cst.BinaryOperation):
            return Ref(found[0][0].value, found[0][1])
    return ref


def _remainder(conditions: Conditions, right: Ref, modulo: Ref) -> int | None:
    """The number a modulo is compared with; -1 stands for ``n - 1``."""
    value = number(conditions.resolver.resolve(right))
    divisor = cst.ensure_type(modulo.node, cst.BinaryOperation).right
    node = right.node
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Subtract):
        same = node.left.deep_equals(divisor)
        if same and isinstance(node.right, cst.Integer) and node.right.evaluated_value == 1:
            return -1
    length = number(conditions.resolver.resolve(Ref(divisor, modulo.place)))
    if value is not None and length is not None and value == length - 1 and value > 0:
        return -1
    return int(value) if value is not None else None


def _modulo(conditions: Conditions, ref: Ref, remainder: int | None) -> Window:
    node = cst.ensure_type(ref.node, cst.BinaryOperation)
    counter, offset = _offset(conditions, Ref(node.left, ref.place))
    return Window("modulo", Ref(node.right, ref.place), counter, offset, remainder)


def _offset(conditions: Conditions, counter: Ref) -> tuple[Ref, int]:
    """Split ``i + 1`` into the counter and its offset, also through a name."""
    source = _through_name(conditions, counter)
    node = source.node
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Add, cst.Subtract)):
        for side, other in ((node.right, node.left), (node.left, node.right)):
            if isinstance(side, cst.Integer):
                sign = 1 if isinstance(node.operator, cst.Add) else -1
                return Ref(other, source.place), sign * int(side.evaluated_value)
    return counter, 0


def _is_counter(conditions: Conditions, ref: Ref) -> bool:
    """Whether a name or an attribute of ``self`` is counted up by one: ``count += 1``."""
    bindings: list[Binding] = []
    if isinstance(ref.node, cst.Name):
        bindings = ref.place.block.scope.bindings.get(ref.node.value, [])
    elif isinstance(ref.node, cst.Attribute):
        for base in conditions.resolver.resolve(Ref(ref.node.value, ref.place)):
            for cls in conditions.resolver.lineage(base.cls)[0] if isinstance(base, Object) else ():
                bindings.extend(binding for binding, _ in cls.attributes.get(ref.node.attr.value, ()))
    return any(
        isinstance(b.value, cst.AugAssign)
        and isinstance(b.value.operator, cst.AddAssign)
        and number(conditions.resolver.resolve(Ref(b.value.value, ref.place))) == 1
        for b in bindings
    )

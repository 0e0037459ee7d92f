"""Literals and constant arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable

import libcst as cst

from dnnlint.program.values import Const, Setting, Values

Number = int | float
_ARITHMETIC: dict[type, Callable[[Number, Number], Number]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
}
_NAMED: dict[str, bool | None] = {"True": True, "False": False, "None": None}
_LARGEST = 1e15


def literal(node: cst.BaseExpression) -> Const | None:
    """The value of a literal node, None for any other node."""
    if isinstance(node, cst.Name):
        return Const(_NAMED[node.value]) if node.value in _NAMED else None
    if isinstance(node, (cst.Integer, cst.Float)):
        return Const(node.evaluated_value)
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        text = node.evaluated_value
        return Const(text) if isinstance(text, str) else None
    return None


def number(values: Values) -> Number | None:
    """The one number that the values stand for, or None."""
    if len(values) == 1 and isinstance(values[0], Const) and isinstance(values[0].value, (int, float)):
        return values[0].value
    return None


def numbers(values: Values) -> tuple[float, ...]:
    """The numbers that values may stand for, defaults of options included."""
    found: list[float] = []
    for value in values:
        if isinstance(value, Const) and isinstance(value.value, (int, float)) and not isinstance(value.value, bool):
            found.append(value.value)
        elif isinstance(value, Setting):
            found.extend(numbers(value.defaults))
    return tuple(found)


def arithmetic(operation: cst.BaseBinaryOp, left: Values, right: Values) -> Const | None:
    """Fold an operation on two known numbers; None where it is not known or not defined."""
    function = _ARITHMETIC.get(type(operation))
    a, b = number(left), number(right)
    if function is None or a is None or b is None or max(abs(a), abs(b)) > _LARGEST:
        return None
    try:
        return Const(function(a, b))
    except ArithmeticError:
        return None


def negate(operation: cst.BaseUnaryOp, operand: Values) -> Const | None:
    """Fold ``-x`` and ``not x`` on a known literal."""
    if len(operand) != 1 or not isinstance(operand[0], Const):
        return None
    value = operand[0].value
    if isinstance(operation, cst.Not):
        return Const(not value)
    if isinstance(operation, cst.Minus) and isinstance(value, (int, float)):
        return Const(-value)
    return None

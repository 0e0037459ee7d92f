"""Powers of a number in an expression, one for each way it may be computed, and how operators change them."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

Powers = frozenset["int | None"]
PLAIN: Powers = frozenset({0})
UNKNOWN: Powers = frozenset({None})
NEUTRAL: Powers = frozenset()

SYMBOLS: dict[type, str] = {
    cst.Divide: "/",
    cst.FloorDivide: "/",
    cst.DivideAssign: "/",
    cst.FloorDivideAssign: "/",
    cst.Multiply: "*",
    cst.MultiplyAssign: "*",
    cst.Add: "+",
    cst.AddAssign: "+",
    cst.Subtract: "+",
    cst.SubtractAssign: "+",
}


def divides(powers: Powers) -> bool:
    """Whether the number divides on every way."""
    return bool(powers) and all(power is not None and power < 0 for power in powers)


def may_divide(powers: Powers) -> bool:
    """Whether the number divides on some way."""
    return any(power is not None and power < 0 for power in powers)


def combine(left: Powers, right: Powers, operation: Callable[[int, int], int]) -> Powers:
    """Every power of one side with every power of the other."""
    return frozenset(None if a is None or b is None else operation(a, b) for a in left for b in right)


def added(left: int | None, right: int | None) -> int | None:
    """The power of a sum of two terms."""
    if left == right:
        return left
    # An unscaled term leaves the sum unscaled whatever an unknown weight does to the others.
    return 0 if {left, right} == {0, None} else None

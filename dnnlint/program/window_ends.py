"""What a test comes out as in the micro-batch that ends an accumulation window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.literals import number
from dnnlint.program.tree import Repeat
from dnnlint.program.values import Ref, Result
from dnnlint.program.windows import Window, window_of

if TYPE_CHECKING:
    from dnnlint.program.conditions import Conditions
    from dnnlint.program.training import Accumulation

_MAX_DEPTH = 8


class WindowEnd:
    """The last micro-batch of a window, told from the test that lets the optimizer step or from the inner loop."""

    def __init__(self, conditions: Conditions, accumulation: Accumulation) -> None:
        self.conditions = conditions
        self.accumulation = accumulation

    def outcome(self, test: Ref, depth: int = 0) -> bool | None:
        """Whether a test holds at the end of a window; None where that does not follow from the window alone."""
        node = test.node
        if depth > _MAX_DEPTH:
            return None
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            inner = self.outcome(Ref(node.expression, test.place), depth + 1)
            return None if inner is None else not inner
        if isinstance(node, cst.BooleanOperation):
            return self._joined(node, test, depth)
        if isinstance(node, (cst.Name, cst.Attribute)):
            bound = self.conditions.bindings(test)
            if len(bound) == 1 and isinstance(bound[0][0].value, cst.BaseExpression):
                return self.outcome(Ref(bound[0][0].value, bound[0][1]), depth + 1)
        return self._of_loop(test) if self.accumulation.repeat is not None else self._of_window(test)

    def _joined(self, node: cst.BooleanOperation, test: Ref, depth: int) -> bool | None:
        same = self._same_test(test)
        if same is not None:
            return same
        sides = [self.outcome(Ref(side, test.place), depth + 1) for side in (node.left, node.right)]
        stops = isinstance(node.operator, cst.Or)
        if stops in sides:
            return stops
        return None if None in sides else not stops

    def _same_test(self, test: Ref) -> bool | None:
        """The outcome of the very test that lets the optimizer step."""
        fork, window = self.accumulation.fork, self.accumulation.window
        if fork is None or window is None or fork.test is None:
            return None
        key, polarity = self.conditions.key(test)
        own, own_polarity = self.conditions.key(fork.test)
        return window.holds is (polarity is own_polarity) if key == own else None

    def _of_window(self, test: Ref) -> bool | None:
        same = self._same_test(test)
        if same is not None:
            return same
        own, other = self.accumulation.window, window_of(self.conditions, test)
        if own is None or other is None:
            return None
        equal = self._same_place(own, other)
        if equal is None or (other.alternatives and not equal):
            return None
        return equal is other.holds

    def _same_place(self, own: Window, other: Window) -> bool | None:
        """Whether two modulo tests of one counter hold in the same turn."""
        if own.remainder is None or other.remainder is None or own.kind != "modulo" or other.kind != "modulo":
            return None
        if own.divisor is None or other.divisor is None or own.counter is None or other.counter is None:
            return None
        pairs = ((own.divisor, other.divisor), (own.counter, other.counter))
        if any(self.conditions.key(a) != self.conditions.key(b) for a, b in pairs):
            return None
        apart = (own.remainder - own.offset) - (other.remainder - other.offset)
        length = number(self.conditions.resolver.resolve(own.divisor))
        return apart % length == 0 if length else apart == 0

    def _of_loop(self, test: Ref) -> bool | None:
        """``micro == n - 1`` and its like, in the last turn of ``for micro in range(n)``."""
        node = test.node
        if not isinstance(node, cst.Comparison) or len(node.comparisons) != 1:
            return None
        left, right = (self._linear(Ref(side, test.place), 0) for side in (node.left, node.comparisons[0].comparator))
        if left is None or right is None or left[0] != right[0]:
            return None
        apart = left[1] - right[1]
        outcomes = {
            cst.Equal: apart == 0,
            cst.NotEqual: apart != 0,
            cst.LessThan: apart < 0,
            cst.LessThanEqual: apart <= 0,
            cst.GreaterThan: apart > 0,
            cst.GreaterThanEqual: apart >= 0,
        }
        return outcomes.get(type(node.comparisons[0].operator))

    def _linear(self, ref: Ref, depth: int) -> tuple[float, float] | None:
        """An expression as ``a * n + b`` in the last turn, n being the number of micro-batches."""
        node, factor, repeat = ref.node, self.accumulation.factor, self.accumulation.repeat
        if factor is None or repeat is None or depth > _MAX_DEPTH:
            return None
        target = repeat.loop.target
        counts = isinstance(node, cst.Name) and isinstance(target, cst.Name) and node.value == target.value
        if counts and ref.place.frame is repeat.place.frame:
            first = self._first_turn(repeat)
            return (1.0, first - 1) if first is not None else None
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Add, cst.Subtract)):
            sides = [self._linear(Ref(side, ref.place), depth + 1) for side in (node.left, node.right)]
            sign = 1 if isinstance(node.operator, cst.Add) else -1
            a, b = sides
            return (a[0] + sign * b[0], a[1] + sign * b[1]) if a is not None and b is not None else None
        if not isinstance(node, cst.Integer) and self.conditions.key(ref) == self.conditions.key(factor):
            return (1.0, 0.0)
        value = number(self.conditions.resolver.resolve(ref))
        length = number(self.conditions.resolver.resolve(factor))
        if value is None:
            return None
        return (1.0, value - length) if length is not None else (0.0, value)

    def _first_turn(self, repeat: Repeat) -> float | None:
        """0 for ``range(n)``; other starts and progress bars are not followed."""
        iterable = repeat.loop.iterable
        values = self.conditions.resolver.resolve(Ref(iterable, repeat.place)) if iterable is not None else ()
        if len(values) == 1 and isinstance(values[0], Result) and values[0].qualified == "builtins.range":
            return 0.0 if len(values[0].node.args) == 1 else None
        return None

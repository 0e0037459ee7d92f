"""By which power of a number an expression is scaled: ``loss / n`` by -1, ``lr * n`` by +1, ``loss`` by 0.

Followed through names, augmented assignments, in-place methods and functions of the file. The answer is a set, one
power for each way the expression may be computed; ``None`` stands for a factor that is not known.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Binding, BindingKind, Block, Loop, lookup
from dnnlint.program.factors import Factor
from dnnlint.program.powers import NEUTRAL, PLAIN, SYMBOLS, UNKNOWN, Powers, added, combine
from dnnlint.program.reaching import frame_of_scope, reaching
from dnnlint.program.values import (
    ClassValue,
    Const,
    External,
    FunctionValue,
    Object,
    Opaque,
    Place,
    Ref,
    Result,
    Setting,
    Value,
)

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

_DIVIDERS = frozenset("div div_ divide divide_ true_divide true_divide_ floor_divide truediv".split())
_MULTIPLIERS = frozenset("mul mul_ multiply multiply_".split())
# Methods and functions whose result has the scale of their tensor. ``sum`` is not among them: a loss that is summed
# over samples or tokens is normalised somewhere else.
_LINEAR = frozenset(
    "mean float half double bfloat16 to cuda cpu clone contiguous squeeze unsqueeze view reshape flatten detach "
    "requires_grad_ abs neg values items stack cat concat nanmean item numpy type type_as masked_select".split()
)
_ROUNDING = frozenset("sum float int round ceil floor max min".split())
_MAX_DEPTH = 30
_BEHIND = 1_000_000  # a position behind everything in the body of a class


class Scaling:
    """Evaluates powers of one factor. Results are memoised by syntax node and frame."""

    def __init__(self, resolver: Resolver, factor: Factor, *, unknown: int | None = None) -> None:
        """Take the factor; ``unknown`` is the power of what the file does not show."""
        self.resolver = resolver
        self.factor = factor
        self.unknown = unknown
        self._memo: dict[tuple[int, int, bool], Powers] = {}
        self._depth = 0

    def loss(self, ref: Ref) -> Powers:
        """The powers in a loss or another sum of terms: what is not visibly scaled counts as 0."""
        return self._powers(ref, False) or UNKNOWN

    def number(self, ref: Ref) -> Powers:
        """The powers in a plain number such as a learning rate or a weight: what is not known is None."""
        return self._powers(ref, True) or PLAIN

    def _powers(self, ref: Ref, weight: bool) -> Powers:
        key = (id(ref.node), id(ref.place.frame), weight)
        if key in self._memo:
            return self._memo[key]
        if self._depth > _MAX_DEPTH:
            return UNKNOWN
        self._memo[key] = NEUTRAL
        self._depth += 1
        try:
            found = self._evaluate(ref, weight)
        finally:
            self._depth -= 1
        self._memo[key] = found
        return found

    def _evaluate(self, ref: Ref, weight: bool) -> Powers:
        known = self.factor.match(ref)
        if known is not None:
            return frozenset({known})
        node = ref.node
        if isinstance(node, cst.BinaryOperation):
            return self._binary(node, ref.place, weight)
        if isinstance(node, cst.Call):
            return self._call(node, ref.place, weight)
        if isinstance(node, cst.Name):
            return self._name(node, ref, weight)
        if isinstance(node, (cst.Attribute, cst.Subscript)):
            return self._part(node, ref, weight)
        if isinstance(node, cst.UnaryOperation):
            return self._powers(Ref(node.expression, ref.place), weight)
        if isinstance(node, (cst.IfExp, cst.BooleanOperation)):
            return self._choice(node, ref.place, weight)
        if isinstance(node, (cst.GeneratorExp, cst.ListComp)):
            return self._comprehension(node, ref.place, weight)
        if isinstance(node, (cst.Tuple, cst.List)):
            return self._sum_of([self._powers(Ref(e.value, ref.place), weight) for e in node.elements])
        if isinstance(node, cst.NamedExpr):
            return self._powers(Ref(node.value, ref.place), weight)
        return self._values(ref, weight)

    def _binary(self, node: cst.BinaryOperation, place: Place, weight: bool) -> Powers:
        left, right = Ref(node.left, place), Ref(node.right, place)
        return self._operate(SYMBOLS.get(type(node.operator), ""), self._powers(left, weight), left, right, weight)

    def _operate(self, symbol: str, before: Powers, left: Ref | None, right: Ref, weight: bool) -> Powers:
        """Apply an operator to something of known powers; ``left`` is its expression where there is one."""
        if symbol == "/":
            return combine(before, self.number(right), lambda a, b: a - b)
        if symbol == "*":
            # One side is the loss, the other its weight; which is which does not show.
            weights = self.number(right)
            if not weight and None in weights and left is not None and self.number(left) <= PLAIN:
                return combine(self.number(left), self._powers(right, False), lambda a, b: a + b)
            return combine(before, weights, lambda a, b: a + b)
        if symbol == "+":
            return self._sum_of([before, self._powers(right, weight)])
        return UNKNOWN

    @staticmethod
    def _sum_of(terms: Iterable[Powers]) -> Powers:
        """A sum has the scale of its terms: unscaled as soon as one term is, unknown where they differ."""
        total = NEUTRAL
        for term in terms:
            total = frozenset(added(a, b) for a in total for b in term) if total and term else total or term
        return total

    def _choice(self, node: cst.IfExp | cst.BooleanOperation, place: Place, weight: bool) -> Powers:
        if isinstance(node, cst.BooleanOperation):
            arms = [node.left, node.right]
        else:
            known = self.resolver.truth(Ref(node.test, place))
            arms = [node.body, node.orelse] if known is None else [node.body if known else node.orelse]
        return frozenset().union(*(self._powers(Ref(arm, place), weight) for arm in arms))

    def _comprehension(self, node: cst.GeneratorExp | cst.ListComp, place: Place, weight: bool) -> Powers:
        inner = next((i for i in place.block.items if isinstance(i, Loop) and i.node is node), None)
        if inner is not None:
            return self._powers(Ref(node.elt, Place(place.frame, inner.body, inner.body.order)), weight)
        if isinstance(node.elt, cst.Name) and node.elt.deep_equals(node.for_in.target):
            return self._powers(Ref(node.for_in.iter, place), weight)
        return UNKNOWN

    def _name(self, node: cst.Name, ref: Ref, weight: bool) -> Powers:
        scope, bindings = lookup(ref.place.block.scope, node.value)
        frame = frame_of_scope(ref.place.frame, scope) if scope is not None else None
        if scope is not None and scope.kind in ("comprehension", "class"):
            frame = ref.place.frame
        if scope is None or frame is None:
            return self._values(ref, weight)
        seen = reaching(bindings, ref.place) if frame is ref.place.frame else bindings
        changes: list[Binding | _Change] = [*seen, *self._changes_in_place(node.value, ref)]
        total = NEUTRAL
        for change in sorted(changes, key=lambda c: c.order):
            always = change.block is None or ref.place.block.within(change.block)
            if change.order >= ref.place.order and frame is ref.place.frame:
                always = False
            after = self._bound(change, frame, total, ref, weight)
            total = after if always else total | after
        return total

    def _changes_in_place(self, name: str, ref: Ref) -> list[_Change]:
        """``loss.div_(n)`` as statements between the binding of a name and its use."""
        found = []
        for method, symbol in _IN_PLACE:
            for call in self.resolver.sites_named(method):
                same = call.chain == (method,) and isinstance(call.root, cst.Name) and call.root.value == name
                near = call.block.scope is ref.place.block.scope and call.order < ref.place.order
                if same and near and call.node.args:
                    found.append(_Change(symbol, call.node.args[0].value, call.block, call.order))
        return found

    def _bound(self, change: Binding | _Change, frame: object, before: Powers, ref: Ref, weight: bool) -> Powers:
        if isinstance(change, _Change):
            return self._operate(change.symbol, before, None, Ref(change.value, ref.place), weight)
        value = change.value
        if change.kind == BindingKind.PARAM:
            passed = ref.place.frame.arguments.get(ref.node.value, ()) if frame is ref.place.frame else ()  # type: ignore[attr-defined]  # a Name
            if passed:
                return frozenset().union(*(self._powers(given, weight) for given in passed))
            return self._values(ref, weight)
        if change.block is None:
            return self._values(ref, weight)
        place = Place(frame, change.block, change.order)  # type: ignore[arg-type]  # a Frame, typed loosely
        if isinstance(value, cst.AugAssign):
            symbol = SYMBOLS.get(type(value.operator), "")
            return self._operate(symbol, before, None, Ref(value.value, place), weight)
        if not isinstance(value, cst.BaseExpression):
            return self._values(ref, weight)
        if change.kind == BindingKind.ITER:
            return UNKNOWN if weight else self._powers(Ref(value, place), weight)
        return self._unpacked(Ref(value, place), change.path, weight)

    def _unpacked(self, ref: Ref, path: tuple[int, ...], weight: bool) -> Powers:
        if not path:
            return self._powers(ref, weight)
        node = ref.node
        if isinstance(node, cst.Tuple) and path[0] < len(node.elements):
            return self._unpacked(Ref(node.elements[path[0]].value, ref.place), path[1:], weight)
        if isinstance(node, cst.Call):
            for value in self.resolver.resolve(Ref(node.func, ref.place)):
                if isinstance(value, FunctionValue) and not value.function.is_generator:
                    return self._returned(value, node, ref.place, path, weight)
        return self._powers(ref, weight) if not weight else UNKNOWN

    def _part(self, node: cst.Attribute | cst.Subscript, ref: Ref, weight: bool) -> Powers:
        """``outputs.loss``, ``losses["mask"]``: an entry of a literal, state on ``self``, or a part of a whole."""
        from dnnlint.program.conditions import Conditions

        if isinstance(node, cst.Attribute):
            bound = Conditions(self.resolver).bindings(ref)
            values = [Ref(b.value, p) for b, p in bound if isinstance(b.value, cst.BaseExpression)]
            values = values or self._fields(node, ref.place)
            if values:
                return frozenset().union(*(self._powers(value, weight) for value in values))
        if weight:
            return self._values(ref, weight)
        found = self._values(ref, False)
        return found if found != PLAIN else self._powers(Ref(node.value, ref.place), False)

    def _fields(self, node: cst.Attribute, place: Place) -> list[Ref]:
        """The value in the body of a class behind ``Config.lr``."""
        found = []
        for base in self.resolver.resolve(Ref(node.value, place)):
            for cls in self.resolver.lineage(base.cls)[0] if isinstance(base, (ClassValue, Object)) else ():
                default = cls.fields.get(node.attr.value, (None, None))[1]
                if default is not None:
                    frame = self.resolver.frame_of(cls.place.function)
                    found.append(Ref(default, Place(frame, cls.body, cls.order + _BEHIND)))
        return found

    def _call(self, node: cst.Call, place: Place, weight: bool) -> Powers:
        func = node.func
        name = func.attr.value if isinstance(func, cst.Attribute) else getattr(func, "value", "")
        first = Ref(node.args[0].value, place) if node.args else None
        callees = self.resolver.resolve(Ref(func, place))
        library = any(isinstance(v, External) and v.qualified.startswith(_MATHEMATICS) for v in callees)
        if isinstance(func, cst.Attribute) and not library:
            receiver: Ref | None = Ref(func.value, place)
            operand = first
        else:
            receiver = first if library else None
            operand = Ref(node.args[1].value, place) if len(node.args) > 1 else None
        symbol = "/" if name in _DIVIDERS else "*" if name in _MULTIPLIERS else ""
        if symbol and receiver is not None and operand is not None:
            return self._operate(symbol, self._powers(receiver, weight), receiver, operand, weight)
        if receiver is not None and (name in _LINEAR or (library and name in _ROUNDING)):
            return self._powers(receiver, weight)
        if name == "sum":
            return UNKNOWN
        found: Powers = frozenset()
        for value in callees:
            found |= self._result(value, node, place, weight)
        return found

    def _result(self, callee: Value, node: cst.Call, place: Place, weight: bool) -> Powers:
        """What a call that is no arithmetic returns."""
        if isinstance(callee, Object):
            callee = self._method_behind(callee) or callee
        if isinstance(callee, FunctionValue):
            if callee.function.is_generator:
                return UNKNOWN
            return self._returned(callee, node, place, (), weight)
        if weight:
            return self._values(Ref(node, place), True)
        if self.factor.is_given_to(callee, node, place) or self._is_a_sum(callee, node, place):
            return UNKNOWN
        return PLAIN

    def _method_behind(self, value: Object) -> FunctionValue | None:
        from dnnlint.program.attributes import member

        for name in ("__call__", "forward"):
            found = member(self.resolver, value, name)
            if found and isinstance(found[0], FunctionValue):
                return found[0]
        return None

    def _returned(
        self, target: FunctionValue, node: cst.Call, place: Place, path: tuple[int, ...], weight: bool
    ) -> Powers:
        frame = self.resolver.call_frame(target, node, place)
        found: Powers = frozenset()
        for jump in target.function.returns:
            if jump.value is not None:
                found |= self._unpacked(Ref(jump.value, Place(frame, jump.block, jump.order)), path, weight)
        return found

    def _is_a_sum(self, callee: Value, node: cst.Call, place: Place) -> bool:
        """Whether a loss is summed over its samples, or normalised by a count that the caller passes."""
        made = [(node, place)]
        if isinstance(callee, Result):
            made.append((callee.node, callee.place))
        for call, where in made:
            for entry in call.args:
                keyword = entry.keyword.value if entry.keyword is not None else ""
                if keyword in ("num_items_in_batch", "size_average"):
                    return True
                if keyword == "reduction":
                    values = self.resolver.resolve(Ref(entry.value, where))
                    if any(not isinstance(v, Const) or v.value == "sum" for v in values):
                        return True
        return False

    def _values(self, ref: Ref, weight: bool) -> Powers:
        """From the values alone, where the way they are computed does not matter or does not show."""
        found: set[int | None] = set()
        for value in self.resolver.resolve(ref):
            if isinstance(value, Const):
                if value.value:
                    found.add(0)
            elif isinstance(value, (Setting, External)):
                found.add(0)
            elif weight or isinstance(value, Opaque):
                found.add(self.unknown)
            else:
                found.add(0)
        return frozenset(found)


class _Change:
    """An in-place change of a tensor held by a name."""

    __slots__ = ("block", "order", "symbol", "value")

    def __init__(self, symbol: str, value: cst.BaseExpression, block: Block, order: int) -> None:
        self.symbol = symbol
        self.value = value
        self.block = block
        self.order = order


_IN_PLACE = (("div_", "/"), ("true_divide_", "/"), ("mul_", "*"))
_MATHEMATICS = ("torch.", "builtins.", "operator.", "math.", "numpy.")

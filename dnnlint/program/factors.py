"""The number of micro-batches in an accumulation window, recognised wherever it appears again."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import dotted
from dnnlint.program.libraries import is_known
from dnnlint.program.literals import numbers
from dnnlint.program.roles import site
from dnnlint.program.values import Const, External, Member, Object, Operation, Ref, Result, Value, Values

if TYPE_CHECKING:
    from dnnlint.program.conditions import Conditions

_NAMED = (cst.Name, cst.Attribute, cst.Subscript, cst.Integer, cst.Float, cst.Call, cst.BinaryOperation)


class Factor:
    """A number with its origin. Two expressions are the same number where they resolve to the same object.

    Literals have no origin: equal ones count as the same number. With ``strict`` they do so only where both have the
    same name, or none.
    """

    def __init__(self, conditions: Conditions, ref: Ref, strict: bool = False) -> None:
        self.conditions = conditions
        self.resolver = conditions.resolver
        self.ref = ref
        self.strict = strict
        self.values: Values = self.resolver.resolve(ref)
        self._sites = {_place_of(v) for v in self.values if not isinstance(v, Const)}
        self._numbers = set(numbers(self.values)) - {0, 1}
        self._holders = self._holders_of(ref)

    @property
    def is_one(self) -> bool:
        """Whether the number is known to be 1: no accumulation."""
        return bool(self.values) and all(isinstance(v, Const) and v.value == 1 for v in self.values)

    @property
    def is_computed(self) -> bool:
        """Whether the number is worked out from others, for example from a nominal batch size."""
        return any(isinstance(v, (Operation, Result)) for v in self.values)

    def match(self, ref: Ref) -> int | None:
        """1 where an expression is this number, -1 where it is the reciprocal as a literal, else None."""
        if not isinstance(ref.node, _NAMED):
            return None
        values = self.resolver.resolve(ref)
        for value in values:
            if not isinstance(value, Const) and _place_of(value) in self._sites:
                return 1
        known = numbers(values) if all(isinstance(v, Const) for v in values) else ()
        if not known or not self._numbers or (self.strict and not self._may_be_same_name(ref)):
            return None
        if self._numbers.issuperset(known):
            return 1
        return -1 if len(known) == 1 and known[0] in {1 / n for n in self._numbers} else None

    def is_given_to(self, callee: Value, node: cst.Call, place: object) -> bool:
        """Whether a call whose insides are not known gets the number, or an object that holds it."""
        refs = [Ref(entry.value, place) for entry in node.args]  # type: ignore[arg-type]  # a Place
        for ref in refs:
            if self.match(ref) is not None or self._holders & {_place_of(v) for v in self.resolver.resolve(ref)}:
                return True
        if isinstance(callee, Member) and isinstance(callee.base, Object):
            return _place_of(callee.base) in self._holders
        # A function of another file may know how the number was worked out.
        return self.is_computed and _is_of_another_file(callee)

    def _may_be_same_name(self, ref: Ref) -> bool:
        own, other = _last(self.ref.node), _last(ref.node)
        return own == other or bool(self._aliases(ref) & self._aliases(self.ref))

    def _aliases(self, ref: Ref) -> set[str]:
        """The last names along a chain of plain assignments and arguments."""
        names, current = set(), ref
        for _ in range(6):
            names.add(_last(current.node))
            passed = current.place.frame.arguments.get(_last(current.node), ())
            if isinstance(current.node, cst.Name) and len(passed) == 1:
                current = passed[0]
                continue
            found = self.conditions.bindings(current)
            if len(found) != 1 or not isinstance(found[0][0].value, (cst.Name, cst.Attribute)):
                break
            current = Ref(found[0][0].value, found[0][1])
        return names - {""}

    def _holders_of(self, ref: Ref) -> set[Hashable]:
        """The objects through which the number is reached: ``args`` and its like, ``self``."""
        found: set[Hashable] = set()
        current: Ref | None = ref
        for _ in range(6):
            if current is None:
                break
            node = current.node
            if isinstance(node, (cst.Attribute, cst.Subscript)):
                found.update(_place_of(v) for v in self.resolver.resolve(Ref(node.value, current.place)))
                bound = self.conditions.bindings(current) if isinstance(node, cst.Attribute) else []
                inner = Ref(node.value, current.place) if not bound else None
            else:
                bound, inner = self.conditions.bindings(current), None
            follow = bound[0] if len(bound) == 1 else None
            value = follow[0].value if follow is not None else None
            current = Ref(value, follow[1]) if follow and isinstance(value, cst.BaseExpression) else inner
        return found


def _place_of(value: Value) -> Hashable:
    """Identity of a value without the frame it is seen in."""
    return ("operation", id(value.ref.node)) if isinstance(value, Operation) else site(value)


def _last(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Subscript) and isinstance(node.slice[0].slice, cst.Index):
        key = node.slice[0].slice.value
        return str(key.evaluated_value) if isinstance(key, cst.SimpleString) else ""
    return dotted(node).rsplit(".", 1)[-1]


def _is_of_another_file(value: Value) -> bool:
    """Whether a function, or an object with its methods, comes from a file of the project that is not shown."""
    while isinstance(value, (Result, Member)):
        value = value.callee if isinstance(value, Result) else value.base
    return isinstance(value, External) and not is_known(value.qualified)

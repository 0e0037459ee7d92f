"""What an expression may stand for: names, attributes, calls and operators, followed through the file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import libcst as cst

from dnnlint.facts import Assign, Branch, Call, Class, Facts, Function, dotted
from dnnlint.program import attributes, calls, literals, lookups
from dnnlint.program.calling import bind_arguments
from dnnlint.program.options import Options
from dnnlint.program.values import (
    ClassValue,
    Const,
    Element,
    Frame,
    FunctionValue,
    Items,
    Operation,
    Place,
    Ref,
    Setting,
    Table,
    Value,
    Values,
    unique,
)

_Handler = Callable[["Resolver", Ref], list[Value]]
_MAX_NESTING = 60


class Resolver:
    """Follows expressions to values. Results are memoised by syntax node and frame; cycles give no value."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.module_frame = Frame(None)
        self.options = Options(facts)
        self.functions: dict[int, Function] = {id(f.node): f for f in facts.functions}
        self._memo: dict[tuple[int, int], Values] = {}
        self._active: set[tuple[int, int]] = set()
        self._frames: dict[tuple[object, ...], Frame] = {}
        self._sites: dict[str, list[Call]] | None = None
        self._entries: dict[str, list[Assign]] | None = None

    def resolve(self, ref: Ref) -> Values:
        """The possible values of an expression; an unknown one resolves to itself as an Operation."""
        key = (id(ref.node), id(ref.place.frame))
        known = self._memo.get(key)
        if known is not None:
            return known
        if key in self._active or len(self._active) > _MAX_NESTING:
            return ()
        self._active.add(key)
        try:
            handler = _HANDLERS.get(type(ref.node))
            found = unique(handler(self, ref)) if handler is not None else ()
        finally:
            self._active.discard(key)
        values = found or (Operation(ref),)
        self._memo[key] = values
        return values

    def resolve_all(self, refs: tuple[Ref, ...]) -> list[Value]:
        """The union of the values of several expressions."""
        return [value for ref in refs for value in self.resolve(ref)]

    def truth(self, ref: Ref) -> bool | None:
        """Whether a test is known to be true or false for every value it may have."""
        outcomes = {_truth_of(value) for value in self.resolve(ref)}
        return outcomes.pop() if len(outcomes) == 1 else None

    def place_of(self, fact: Call | Assign | Branch, frame: Frame | None = None) -> Place:
        """Where a fact is evaluated when its function runs in ``frame``, by default in the one for all callers."""
        return Place(frame or self.frame_of(fact.block.function), fact.block, fact.order)

    def root_frame(self, function: Function, receiver: Value | None = None) -> Frame:
        """The frame of a function that nobody in the file is known to call."""
        key = ("root", id(function), receiver.key if receiver else None)
        if key not in self._frames:
            closure = self.root_frame(function.parent) if function.parent else self.module_frame
            self._frames[key] = Frame(function, closure, receiver=receiver)
        return self._frames[key]

    def call_frame(self, target: FunctionValue, call: cst.Call, place: Place) -> Frame:
        """The frame of one call of a project function, the same object for the same call and caller."""
        receiver = target.receiver.key if target.receiver else None
        key = ("call", id(target.function), id(call), id(place.frame), receiver)
        if key not in self._frames:
            self._frames[key] = bind_arguments(self, target, call, place)
        return self._frames[key]

    def frame_of(self, function: Function | None) -> Frame:
        """The root frame of a function, or the module's frame."""
        return self.root_frame(function) if function is not None else self.module_frame

    @cached_property
    def stored_attributes(self) -> frozenset[str]:
        """The names of attributes that the file assigns anywhere."""
        targets = (assign.target for assign in self.facts.assigns)
        return frozenset(target.attr.value for target in targets if isinstance(target, cst.Attribute))

    def sites_named(self, name: str) -> list[Call]:
        """All calls whose called name is ``name``."""
        if self._sites is None:
            self._sites = {}
            for call in self.facts.calls:
                self._sites.setdefault(call.attribute, []).append(call)
        return self._sites.get(name, [])

    def entries_set_on(self, name: str) -> list[Assign]:
        """The assignments ``name[key] = value``."""
        if self._entries is None:
            self._entries = {}
            for assign in self.facts.assigns:
                target = assign.target
                if isinstance(target, cst.Subscript) and isinstance(target.value, cst.Name):
                    self._entries.setdefault(target.value.value, []).append(assign)
        return self._entries.get(name, [])

    def bases_of(self, cls: Class) -> list[Value]:
        """What the base classes of a project class resolve to."""
        place = Place(self.frame_of(cls.place.function), cls.place, cls.order)
        return self.resolve_all(tuple(Ref(base, place) for base in cls.bases))

    def lineage(self, cls: Class) -> tuple[list[Class], list[Value]]:
        """The project classes a class inherits from (itself first) and its bases outside of the file."""
        inside: list[Class] = [cls]
        outside: list[Value] = []
        queue = [cls]
        while queue:
            for base in self.bases_of(queue.pop(0)):
                if not isinstance(base, ClassValue):
                    outside.append(base)
                elif base.cls not in inside:
                    inside.append(base.cls)
                    queue.append(base.cls)
        return inside, outside


def _truth_of(value: Value) -> bool | None:
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Setting) and value.is_fixed and len(value.defaults) == 1:
        return _truth_of(value.defaults[0])
    if isinstance(value, (Setting, Operation, Element)):
        return None
    kind = type(value).__name__
    return True if kind in ("Object", "FunctionValue", "ClassValue") or _is_scaler_like(value) else None


def _is_scaler_like(value: Value) -> bool:
    qualified = getattr(value, "qualified", "")
    return (
        type(value).__name__ == "Result"
        and qualified.startswith("torch.")
        and qualified[-1:].isalpha()
        and (qualified.rsplit(".", 1)[-1][:1].isupper())
    )


def _literal(resolver: Resolver, ref: Ref) -> list[Value]:
    found = literals.literal(ref.node)
    return [found] if found is not None else []


def _name(resolver: Resolver, ref: Ref) -> list[Value]:
    found = literals.literal(ref.node)
    return [found] if found is not None else lookups.resolve_name(resolver, ref)


def _conditional(resolver: Resolver, ref: Ref) -> list[Value]:
    node = cst.ensure_type(ref.node, cst.IfExp)
    known = resolver.truth(Ref(node.test, ref.place))
    arms = [node.body, node.orelse] if known is None else [node.body if known else node.orelse]
    return resolver.resolve_all(tuple(Ref(arm, ref.place) for arm in arms))


def _boolean(resolver: Resolver, ref: Ref) -> list[Value]:
    node = cst.ensure_type(ref.node, cst.BooleanOperation)
    stops = isinstance(node.operator, cst.Or)
    left = resolver.resolve(Ref(node.left, ref.place))
    kept = [value for value in left if _truth_of(value) in (stops, None)]
    if kept and all(_truth_of(value) is stops for value in left):
        return kept
    return [*kept, *resolver.resolve(Ref(node.right, ref.place))]


def _items(resolver: Resolver, ref: Ref) -> list[Value]:
    elements = ref.node.elements  # type: ignore[attr-defined]  # registered for tuples, lists and sets only
    if any(isinstance(element, cst.StarredElement) for element in elements):
        return []
    return [Items(tuple(Ref(element.value, ref.place) for element in elements), ref.node, ref.place)]


def _table(resolver: Resolver, ref: Ref) -> list[Value]:
    entries: list[tuple[str, Ref]] = []
    complete = True
    for element in cst.ensure_type(ref.node, cst.Dict).elements:
        if isinstance(element, cst.DictElement):
            key = resolver.resolve(Ref(element.key, ref.place))
            if len(key) == 1 and isinstance(key[0], Const):
                entries.append((str(key[0].value), Ref(element.value, ref.place)))
            else:
                complete = False
        else:
            inner = resolver.resolve(Ref(element.value, ref.place))
            tables = [value for value in inner if isinstance(value, Table)]
            entries.extend(entry for table in tables for entry in table.refs)
            complete = complete and len(tables) == len(inner) and all(t.complete for t in tables)
    return [Table(tuple(entries), complete, ref.node, ref.place)]


def _lambda(resolver: Resolver, ref: Ref) -> list[Value]:
    function = resolver.functions.get(id(ref.node))
    return [FunctionValue(function, ref.place.frame)] if function is not None else []


def _inner(resolver: Resolver, ref: Ref) -> list[Value]:
    inner = getattr(ref.node, "expression", None) or getattr(ref.node, "value", None)
    return list(resolver.resolve(Ref(inner, ref.place))) if inner is not None else []


def _binary(resolver: Resolver, ref: Ref) -> list[Value]:
    node = cst.ensure_type(ref.node, cst.BinaryOperation)
    left, right = Ref(node.left, ref.place), Ref(node.right, ref.place)
    found = literals.arithmetic(node.operator, resolver.resolve(left), resolver.resolve(right))
    return [found] if found is not None else []


def _unary(resolver: Resolver, ref: Ref) -> list[Value]:
    node = cst.ensure_type(ref.node, cst.UnaryOperation)
    found = literals.negate(node.operator, resolver.resolve(Ref(node.expression, ref.place)))
    return [found] if found is not None else []


def _comparison(resolver: Resolver, ref: Ref) -> list[Value]:
    node = cst.ensure_type(ref.node, cst.Comparison)
    if len(node.comparisons) != 1 or not isinstance(node.comparisons[0].operator, (cst.Is, cst.IsNot)):
        return []
    if dotted(node.comparisons[0].comparator) != "None":
        return []
    outcomes = {_is_none(value) for value in resolver.resolve(Ref(node.left, ref.place))}
    if len(outcomes) != 1 or None in outcomes:
        return []
    return [Const(outcomes == {isinstance(node.comparisons[0].operator, cst.Is)})]


def _is_none(value: Value) -> bool | None:
    if isinstance(value, Const):
        return value.value is None
    if isinstance(value, Setting) and value.is_fixed and len(value.defaults) == 1:
        return _is_none(value.defaults[0])
    return False if _truth_of(value) or isinstance(value, (Items, Table)) else None


_HANDLERS: dict[type, _Handler] = {
    cst.Name: _name,
    cst.Integer: _literal,
    cst.Float: _literal,
    cst.SimpleString: _literal,
    cst.ConcatenatedString: _literal,
    cst.IfExp: _conditional,
    cst.BooleanOperation: _boolean,
    cst.Tuple: _items,
    cst.List: _items,
    cst.Dict: _table,
    cst.Lambda: _lambda,
    cst.NamedExpr: _inner,
    cst.Await: _inner,
    cst.BinaryOperation: _binary,
    cst.UnaryOperation: _unary,
    cst.Comparison: _comparison,
    cst.Attribute: attributes.resolve_attribute,
    cst.Subscript: attributes.resolve_subscript,
    cst.Call: calls.resolve_call,
}

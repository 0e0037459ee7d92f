"""The values of each form of expression: names, literals, conditions, containers and operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import dotted
from dnnlint.program import attributes, calls, literals, lookups
from dnnlint.program.values import (
    Const,
    Element,
    FunctionValue,
    Items,
    Operation,
    Ref,
    Setting,
    Table,
    Value,
)

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

Handler = Callable[["Resolver", Ref], list[Value]]


def truth_of(value: Value) -> bool | None:
    """Whether a value is known to be true or false."""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Setting) and value.is_fixed and len(value.defaults) == 1:
        return truth_of(value.defaults[0])
    if isinstance(value, (Setting, Operation, Element)):
        return None
    kind = type(value).__name__
    known = kind in ("Object", "FunctionValue", "ClassValue", "ModuleValue")
    return True if known or _is_scaler_like(value) else None


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
    kept = [value for value in left if truth_of(value) in (stops, None)]
    if kept and all(truth_of(value) is stops for value in left):
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
    function = resolver.function_at(ref.node, ref.place.block.scope)
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
    return False if truth_of(value) or isinstance(value, (Items, Table)) else None


HANDLERS: dict[type, Handler] = {
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

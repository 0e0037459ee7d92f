"""Calls as values: returns of project functions, objects, wrappers that hand their argument through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.attributes import choices_of, item, member
from dnnlint.program.calling import MAX_DEPTH, arguments_of
from dnnlint.program.configs import config_call
from dnnlint.program.values import (
    ClassValue,
    Const,
    Element,
    External,
    FunctionValue,
    Items,
    Member,
    Object,
    Place,
    Ref,
    Result,
    Setting,
    Table,
    Value,
    Values,
)

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

# Methods that return their receiver (modules) or stand for the same object (tensors moved to a device).
_SAME_OBJECT = frozenset(
    "to cuda cpu xpu train eval half float bfloat16 double requires_grad_ share_memory to_empty apply".split()
)
# Library functions that return what they were given, changed in place or wrapped transparently.
_TRANSPARENT = frozenset(
    {
        "torch.compile",
        "torch.nn.SyncBatchNorm.convert_sync_batchnorm",
        "torch.jit.script",
        "ipex.optimize",
        "intel_extension_for_pytorch.optimize",
        "torch.compiler.disable",
    }
)
_PREPARE = frozenset({"prepare", "setup_dataloaders"})


def resolve_call(resolver: Resolver, ref: Ref) -> list[Value]:
    """What a call returns."""
    node = cst.ensure_type(ref.node, cst.Call)
    found: list[Value] = []
    for callee in resolver.resolve(Ref(node.func, ref.place)):
        found.extend(call_value(resolver, callee, node, ref.place))
    return found


def call_value(resolver: Resolver, callee: Value, node: cst.Call, place: Place) -> list[Value]:
    """What calling one value returns."""
    if isinstance(callee, ClassValue):
        return [Object(callee.cls, node, place)]
    if isinstance(callee, FunctionValue):
        return returned(resolver, callee, node, place)
    if isinstance(callee, Object):
        inner = member(resolver, callee, "__call__")
        if inner and isinstance(inner[0], FunctionValue):
            return returned(resolver, inner[0], node, place)
        return [Result(callee, node, place)]
    if isinstance(callee, Result) and callee.qualified == "functools.partial":
        return _applied_partial(resolver, callee, node, place)
    if isinstance(callee, External):
        return _library_call(resolver, callee, node, place)
    if isinstance(callee, Member):
        return _method_call(resolver, callee, node, place)
    return [Result(callee, node, place)]


def returned(resolver: Resolver, target: FunctionValue, node: cst.Call, place: Place) -> list[Value]:
    """The values a project function returns for one call."""
    function = target.function
    if place.frame.depth >= MAX_DEPTH or function.is_generator:
        return [Result(target, node, place)]
    frame = resolver.call_frame(target, node, place)
    found: list[Value] = []
    for jump in function.returns:
        if jump.value is not None:
            found.extend(resolver.resolve(Ref(jump.value, Place(frame, jump.block, jump.order))))
        else:
            found.append(Const(None))
    return found or [Result(target, node, place)]


def partial_target(resolver: Resolver, callee: Result) -> list[Value]:
    """The functions behind ``functools.partial(function, ...)``, with the arguments it fixes."""
    given = list(arguments_of(resolver, callee.node, callee.place))
    if not given or given[0][1] is None:
        return []
    bound = tuple((name or "", ref) for name, ref in given[1:] if ref is not None)
    targets = resolver.resolve(given[0][1])
    return [
        FunctionValue(t.function, t.closure, t.receiver, (*t.bound, *bound)) if isinstance(t, FunctionValue) else t
        for t in targets
    ]


def _applied_partial(resolver: Resolver, callee: Result, node: cst.Call, place: Place) -> list[Value]:
    found: list[Value] = []
    for target in partial_target(resolver, callee):
        if isinstance(target, (External, ClassValue)):
            # The fixed arguments belong to the creation: the partial call shows them.
            found.extend(call_value(resolver, target, callee.node, callee.place) if not node.args else ())
            found = found or [Result(target, node, place)]
        else:
            found.extend(call_value(resolver, target, node, place))
    return found or [Result(callee, node, place)]


def _library_call(resolver: Resolver, callee: External, node: cst.Call, place: Place) -> list[Value]:
    name = callee.qualified
    if name in _TRANSPARENT and node.args:
        return list(resolver.resolve(Ref(node.args[0].value, place)))
    if name == "builtins.dict":
        entries = [(k, r) for k, r in arguments_of(resolver, node, place) if k is not None and r is not None]
        complete = all(a.keyword is not None for a in node.args)
        return [Table(tuple(entries), complete, node, place)]
    if name in ("builtins.int", "builtins.float") and len(node.args) == 1:
        return _converted(resolver, name, node, place)
    configured = config_call(resolver, callee, node, place)
    if configured is not None:
        return configured
    if name == "builtins.getattr" and len(node.args) >= 2:
        return _getattr(resolver, node, place)
    if name in ("typing.cast", "typing_extensions.cast") and len(node.args) == 2:
        return list(resolver.resolve(Ref(node.args[1].value, place)))
    if name == "builtins.next" and node.args:
        return [Element(v, "iter[]") for v in resolver.resolve(Ref(node.args[0].value, place))]
    if name == "builtins.vars" and node.args:
        return list(resolver.resolve(Ref(node.args[0].value, place)))
    return [Result(callee, node, place)]


def _converted(resolver: Resolver, name: str, node: cst.Call, place: Place) -> list[Value]:
    inner = resolver.resolve(Ref(node.args[0].value, place))
    if all(isinstance(v, Const) and isinstance(v.value, (int, float)) for v in inner):
        convert = int if name.endswith("int") else float
        return [Const(convert(v.value)) for v in inner if isinstance(v, Const) and isinstance(v.value, (int, float))]
    if len(inner) == 1 and type(inner[0]).__name__ == "Setting":
        return list(inner)
    return [Result(External(name), node, place)]


def _getattr(resolver: Resolver, node: cst.Call, place: Place) -> list[Value]:
    names = resolver.resolve(Ref(node.args[1].value, place))
    if len(names) != 1 or not isinstance(names[0], Const) or not isinstance(names[0].value, str):
        return [Result(External("builtins.getattr"), node, place)]
    found: list[Value] = []
    for base in resolver.resolve(Ref(node.args[0].value, place)):
        found.extend(member(resolver, base, names[0].value))
    if len(node.args) > 2 and all(isinstance(value, Member) for value in found):
        found.extend(resolver.resolve(Ref(node.args[2].value, place)))
    return found


def _method_call(resolver: Resolver, callee: Member, node: cst.Call, place: Place) -> list[Value]:
    if callee.name in _SAME_OBJECT:
        return [callee.base]
    if callee.name == "get" and node.args and isinstance(callee.base, Table):
        return _table_get(resolver, callee.base, node, place)
    prepares = callee.name in _PREPARE or (callee.name == "setup" and _is_fabric(callee.base))
    if prepares and node.args and not any(a.star or a.keyword for a in node.args):
        refs = tuple(Ref(a.value, place) for a in node.args)
        return list(resolver.resolve(refs[0])) if len(refs) == 1 else [Items(refs, node, place)]
    return [Result(callee, node, place)]


def _is_fabric(base: Value) -> bool:
    return isinstance(base, Result) and base.qualified.rsplit(".", 1)[-1] == "Fabric"


def _table_get(resolver: Resolver, table: Table, node: cst.Call, place: Place) -> list[Value]:
    names = resolver.resolve(Ref(node.args[0].value, place))
    if len(names) == 1 and isinstance(names[0], Const):
        entry = table.get(str(names[0].value))
        if entry is not None:
            return list(resolver.resolve(entry))
        if table.complete:
            return _get_default(resolver, node, place)
    if len(names) == 1 and isinstance(names[0], Setting) and table.complete and table.refs:
        # A run-time option chooses: every entry that it may name is possible, and the default.
        return [*item(resolver, table, None, choices_of(names[0])), *_get_default(resolver, node, place)]
    return [Result(Member(table, "get"), node, place)]


def _get_default(resolver: Resolver, node: cst.Call, place: Place) -> list[Value]:
    return list(resolver.resolve(Ref(node.args[1].value, place))) if len(node.args) > 1 else [Const(None)]


def behind_partials(resolver: Resolver, callee: Values) -> Values:
    """The functions that ``functools.partial`` objects call, in their place."""
    found: list[Value] = []
    for value in callee:
        partial = isinstance(value, Result) and value.qualified == "functools.partial"
        found.extend(partial_target(resolver, value) if partial and isinstance(value, Result) else [value])
    return tuple(found)

"""Names: local and global bindings, parameters through their callers."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Binding, BindingKind, Call, Class, Function, Parameter, lookup
from dnnlint.program.calling import is_class_method, is_static
from dnnlint.program.configs import hydra_config
from dnnlint.program.importing import imported, starred_import
from dnnlint.program.reaching import frame_of_scope, reaching
from dnnlint.program.tables import filled
from dnnlint.program.values import (
    ClassValue,
    Element,
    External,
    Frame,
    FunctionValue,
    Items,
    Object,
    Opaque,
    Place,
    Ref,
    Setting,
    Table,
    Value,
)

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

_SPAWNERS = ("spawn", "start_processes", "Process", "Thread")


def resolve_name(resolver: Resolver, ref: Ref) -> list[Value]:
    """The values of a plain name at a place."""
    name = cst.ensure_type(ref.node, cst.Name).value
    owner, bindings = lookup(ref.place.block.scope, name)
    if owner is None:
        starred = starred_import(resolver, name, ref.place.block.scope)
        return starred or [External(f"builtins.{name}") if hasattr(builtins, name) else Opaque(name, 0)]
    frame = frame_of_scope(ref.place.frame, owner)
    if owner.kind in ("comprehension", "class") or frame is None:
        frame = frame or ref.place.frame
    local = frame is ref.place.frame and owner.kind != "comprehension"
    seen = reaching(bindings, ref.place) if local else bindings
    values: list[Value] = []
    for binding in seen:
        values.extend(resolve_binding(resolver, binding, frame, name))
    if any(isinstance(value, Table) for value in values):
        return filled(resolver, name, ref, frame, values)
    return values


def resolve_binding(resolver: Resolver, binding: Binding, frame: Frame, name: str) -> list[Value]:
    """The values that one binding gives a name."""
    value = binding.value
    if binding.kind == BindingKind.IMPORT:
        return imported(resolver, str(value), frame, binding)
    if isinstance(value, Function):
        return [FunctionValue(value, frame)]
    if isinstance(value, Class):
        return [ClassValue(value, Place(frame, value.place, value.order))]
    if isinstance(value, Parameter):
        return resolve_parameter(resolver, value, frame)
    if binding.block is None or not isinstance(value, cst.BaseExpression):
        return []
    ref = Ref(value, Place(frame, binding.block, binding.order))
    if binding.kind == BindingKind.ITER:
        return [Element(base, f"iter{list(binding.path)}") for base in resolver.resolve(ref)]
    return unpack(resolver, list(resolver.resolve(ref)), binding.path)


def unpack(resolver: Resolver, values: list[Value], path: tuple[int, ...]) -> list[Value]:
    """Take nested unpacking apart: literals element by element, other values as elements."""
    for index in path:
        inner: list[Value] = []
        for value in values:
            if isinstance(value, Items) and index < len(value.refs):
                inner.extend(resolver.resolve(value.refs[index]))
            else:
                inner.append(Element(value, str(index)))
        values = inner
    return values


def resolve_parameter(resolver: Resolver, parameter: Parameter, frame: Frame) -> list[Value]:
    """What a parameter receives: from the call of this frame, else from every caller in the file."""
    function = frame.function
    if function is None:
        return []
    passed = frame.arguments.get(parameter.name)
    if passed is not None:
        return resolver.resolve_all(passed)
    if _is_receiver(function, parameter):
        return [_receiver(resolver, function, frame)]
    if parameter.kind == "kwargs":
        known = frame.caller is not None and not frame.open_keywords
        place = Place(frame, function.body, function.order)
        return [Table(frame.extra, known, function.node, place)]
    if frame.caller is not None and parameter.default is not None and not frame.open_keywords:
        return list(resolver.resolve(_default_ref(resolver, function, parameter, frame)))
    if frame.caller is None:
        from_callers = _from_callers(resolver, function, parameter)
        if from_callers:
            return from_callers
    if function.decorators:
        configured = hydra_config(resolver, function)
        if configured:
            return configured
    return [_unknown_parameter(resolver, function, parameter, frame)]


def _default_ref(resolver: Resolver, function: Function, parameter: Parameter, frame: Frame) -> Ref:
    assert parameter.default is not None
    return Ref(
        parameter.default, Place(frame.closure or resolver.module_frame(function.scope), function.place, function.order)
    )


def _unknown_parameter(resolver: Resolver, function: Function, parameter: Parameter, frame: Frame) -> Value:
    declared = resolver.options.of_parameter(resolver, function, parameter.name)
    if declared is not None:
        return declared
    if parameter.default is not None:
        defaults = resolver.resolve(_default_ref(resolver, function, parameter, frame))
        return Setting(parameter.name, "parameter", id(function), defaults, parameter.default)
    annotation = None
    if parameter.annotation is not None:
        place = Place(frame.closure or resolver.module_frame(function.scope), function.place, function.order)
        annotation = Ref(parameter.annotation, place)
    return Opaque(parameter.name, id(function), annotation)


def _is_receiver(function: Function, parameter: Parameter) -> bool:
    return not is_static(function) and bool(function.parameters) and function.parameters[0] is parameter


def _receiver(resolver: Resolver, function: Function, frame: Frame) -> Value:
    assert function.owner is not None
    place = Place(resolver.module_frame(function.scope), function.owner.place, function.owner.order)
    if is_class_method(function):
        return ClassValue(function.owner, place)
    return frame.receiver or Object(function.owner, None, place)


def _from_callers(resolver: Resolver, function: Function, parameter: Parameter) -> list[Value]:
    values: list[Value] = []
    for call in call_sites(resolver, function):
        closure = resolver.root_frame(function.parent) if function.parent else resolver.module_frame(function.scope)
        target = FunctionValue(function, closure, _placeholder_receiver(resolver, function))
        place = resolver.place_of(call)
        frame = resolver.call_frame(target, call.node, place)
        if parameter.name in frame.arguments or not frame.open_keywords:
            values.extend(resolve_parameter(resolver, parameter, frame))
    values.extend(_from_spawn(resolver, function, parameter))
    return values


def _placeholder_receiver(resolver: Resolver, function: Function) -> Value | None:
    if is_static(function):
        return None
    return _receiver(resolver, function, Frame(function))


def call_sites(resolver: Resolver, function: Function) -> list[Call]:
    """The calls in the program that run a function, as far as names and ``self`` show it."""
    owner = function.owner
    if owner is None:
        return [c for c in resolver.sites_named(function.name) if _calls_function(resolver, c, function)]
    if function.name == "__init__":
        return [c for c in resolver.sites_named(owner.name) if _makes_object(resolver, c, owner)]
    return [c for c in resolver.sites_named(function.name) if c.chain and _calls_method(resolver, c, function)]


def _calls_function(resolver: Resolver, call: Call, function: Function) -> bool:
    if not call.chain and any(b.value is function for b in lookup(call.block.scope, function.name)[1]):
        return True
    if resolver.linker.unit_of(call.block.scope) is resolver.linker.unit_of(function.scope):
        return False
    values = resolver.resolve(Ref(call.node.func, resolver.place_of(call)))
    return any(isinstance(v, FunctionValue) and v.function is function for v in values)


def _makes_object(resolver: Resolver, call: Call, cls: Class) -> bool:
    if resolver.linker.unit_of(call.block.scope) is resolver.linker.unit_of(cls.scope):
        return not call.chain
    values = resolver.resolve(Ref(call.node.func, resolver.place_of(call)))
    return any(isinstance(v, ClassValue) and v.cls is cls for v in values)


def _calls_method(resolver: Resolver, call: Call, function: Function) -> bool:
    if len(call.chain) != 1:
        return False
    place = resolver.place_of(call)
    receivers = resolver.resolve(Ref(call.root, place))
    known = [r for r in receivers if isinstance(r, (Object, ClassValue))]
    if any(function.owner in resolver.lineage(r.cls)[0] for r in known):
        return True
    # ``self.method()`` of a base class also runs the method of any class that inherits from it.
    own = [r.cls for r in known if isinstance(r, Object) and r.node is None]
    return bool(own) and function.owner is not None and any(c in own for c in resolver.lineage(function.owner)[0])


def _from_spawn(resolver: Resolver, function: Function, parameter: Parameter) -> list[Value]:
    """Arguments given to ``mp.spawn(function, args=(...))`` and ``Process(target=function, args=(...))``."""
    values: list[Value] = []
    for name in _SPAWNERS:
        for call in resolver.sites_named(name):
            target = [a for a in call.node.args if isinstance(a.value, cst.Name) and a.value.value == function.name]
            given = [a for a in call.node.args if a.keyword is not None and a.keyword.value == "args"]
            if target and given:
                first = 1 if name in ("spawn", "start_processes") else 0
                values.extend(_spawned(resolver, function, parameter, call, given[0].value, first))
    return values


def _spawned(
    resolver: Resolver, function: Function, parameter: Parameter, call: Call, args: cst.BaseExpression, first: int
) -> list[Value]:
    place = resolver.place_of(call)
    index = function.parameters.index(parameter) - first
    if index < 0:  # the number of the process
        return [Opaque(parameter.name, id(function))]
    packed = resolver.resolve(Ref(args, place))
    if not packed or not isinstance(packed[0], Items) or index >= len(packed[0].refs):
        return []
    return list(resolver.resolve(packed[0].refs[index]))

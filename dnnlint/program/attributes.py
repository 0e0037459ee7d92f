"""Attributes and subscripts: state on ``self``, options, namespaces, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import BindingKind, Class, Function, dotted
from dnnlint.program.calling import argument, has_unknown_arguments, is_static
from dnnlint.program.importing import module_member
from dnnlint.program.lookups import resolve_binding
from dnnlint.program.options import NAMESPACE_TYPES, is_record_class
from dnnlint.program.values import (
    ClassValue,
    Const,
    Element,
    External,
    Frame,
    FunctionValue,
    Items,
    Member,
    ModuleValue,
    Object,
    Opaque,
    Place,
    Ref,
    Result,
    Setting,
    Table,
    Value,
)

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

WRAPPERS = ("DistributedDataParallel", "DataParallel")


def resolve_attribute(resolver: Resolver, ref: Ref) -> list[Value]:
    """The values of ``base.name``."""
    node = cst.ensure_type(ref.node, cst.Attribute)
    found: list[Value] = []
    for base in resolver.resolve(Ref(node.value, ref.place)):
        found.extend(member(resolver, base, node.attr.value))
    return found


def member(resolver: Resolver, base: Value, name: str) -> list[Value]:
    """The values of an attribute of one value."""
    if isinstance(base, External):
        return [External(f"{base.qualified}.{name}")]
    if isinstance(base, ModuleValue):
        return module_member(resolver, base, name)
    if isinstance(base, Object):
        return object_member(resolver, base, name)
    if isinstance(base, ClassValue):
        return _class_member(resolver, base, name)
    if isinstance(base, Table):
        entry = base.get(name)
        return list(resolver.resolve(entry)) if entry is not None else [Member(base, name)]
    if resolver.options.is_namespace(base):
        declared = resolver.options.lookup(resolver, base, name)
        if declared is None:
            return [Member(base, name)]
        return [declared, *resolver.options.overwritten(resolver, name)]
    if isinstance(base, Result):
        inherited = _inherited(resolver, base, name) if base.qualified == "builtins.super" else None
        return inherited if inherited is not None else _result_member(resolver, base, name)
    if isinstance(base, Opaque) and base.annotation is not None:
        return _annotated_field(resolver, base.annotation, name) or [Member(base, name)]
    return [Member(base, name)]


def _annotated_field(resolver: Resolver, annotation: Ref, name: str) -> list[Value]:
    """``cfg.workers`` of a parameter ``cfg: Config`` that nobody passes: the field of the record, with its default."""
    for value in resolver.resolve(annotation):
        if isinstance(value, ClassValue) and is_record_class(resolver, value.cls):
            for cls in resolver.lineage(value.cls)[0]:
                if name in cls.fields:
                    return _field(resolver, Object(value.cls, None, value.place), cls, name)
    return []


def _inherited(resolver: Resolver, base: Result, name: str) -> list[Value] | None:
    """``super().name``: the method of the next project class up the line."""
    function = base.place.frame.function
    if function is None or function.owner is None:
        return None
    receiver = base.place.frame.receiver
    owner = receiver if isinstance(receiver, Object) else Object(function.owner, None, base.place)
    for cls in resolver.lineage(function.owner)[0][1:]:
        if name in cls.methods:
            return _method(resolver, owner, cls, name)
    return None


def _result_member(resolver: Resolver, base: Result, name: str) -> list[Value]:
    last = base.qualified.rsplit(".", 1)[-1]
    if name == "module" and last in WRAPPERS and base.node.args:
        return list(resolver.resolve(Ref(base.node.args[0].value, base.place)))
    if last in NAMESPACE_TYPES:
        given = argument(resolver, base.node, base.place, name)
        if given is None and base.node.args and base.node.args[0].keyword is None:
            inner = resolver.resolve(Ref(base.node.args[0].value, base.place))
            given = next((v.get(name) for v in inner if isinstance(v, Table)), None)
        if given is not None:
            return list(resolver.resolve(given))
    return [Member(base, name)]


def object_member(resolver: Resolver, base: Object, name: str) -> list[Value]:
    """State set on ``self`` anywhere in the class, a method, a property or a field."""
    inside, _ = resolver.lineage(base.cls)
    found: list[Value] = []
    for cls in inside:
        for binding, method in cls.attributes.get(name, ()):
            if binding.kind != BindingKind.AUG:
                found.extend(resolve_binding(resolver, binding, method_frame(resolver, base, method), name))
    if found:
        unset = all(isinstance(value, Const) and value.value is None for value in found)
        return [*found, Member(base, name)] if unset and _is_set_by_name(resolver, inside) else found
    for cls in inside:
        if name in cls.methods:
            return _method(resolver, base, cls, name)
        if name in cls.fields:
            return _field(resolver, base, cls, name)
    return [Member(base, name)]


def _is_set_by_name(resolver: Resolver, classes: list[Class]) -> bool:
    """``setattr(self, name, value)`` in a class: an attribute that is None elsewhere may be set there."""
    for call in resolver.sites_named("setattr"):
        named = len(call.node.args) == 3 and isinstance(call.node.args[1].value, cst.SimpleString)
        if not named and any(call.block.within(cls.body) for cls in classes):
            return True
    return False


def method_frame(resolver: Resolver, base: Object, method: Function) -> Frame:
    """The frame in which a method runs for an object; the constructor gets the arguments of the creation."""
    if method.name == "__init__" and base.node is not None:
        return _constructor_frame(resolver, base, method, base.node)
    return resolver.root_frame(method, base if base.node is not None else None)


def _constructor_frame(resolver: Resolver, base: Object, method: Function, made: cst.Call) -> Frame:
    """The frame of a constructor: the class's own gets the arguments of the creation, an inherited one those of it."""
    inside, _ = resolver.lineage(base.cls)
    frame = None
    for current in (cls.methods["__init__"] for cls in inside if "__init__" in cls.methods):
        target = FunctionValue(current, resolver.module_frame(current.scope), base)
        if frame is None:
            frame = resolver.call_frame(target, made, base.place)
        else:
            frame = _inner_constructor(resolver, current, frame) or resolver.root_frame(current, base)
        if current is method:
            return frame
    return resolver.root_frame(method, base)


def _inner_constructor(resolver: Resolver, method: Function, outer: Frame) -> Frame | None:
    """The frame of a base class's constructor, called in a constructor that runs in ``outer``."""
    for call in resolver.sites_named("__init__"):
        if call.block.function is outer.function:
            place = Place(outer, call.block, call.order)
            for value in resolver.resolve(Ref(call.node.func, place)):
                if isinstance(value, FunctionValue) and value.function is method:
                    return resolver.call_frame(value, call.node, place)
    return None


def _method(resolver: Resolver, base: Object, cls: Class, name: str) -> list[Value]:
    method = cls.methods[name]
    closure = base.place.frame if base.place.frame.function is method.parent else resolver.module_frame(method.scope)
    bound = FunctionValue(method, closure, None if is_static(method) else base)
    if any(dotted(d).rsplit(".", 1)[-1] in ("property", "cached_property") for d in method.decorators):
        frame = resolver.root_frame(method, base)
        returned = [Ref(j.value, Place(frame, j.block, j.order)) for j in method.returns if j.value is not None]
        return resolver.resolve_all(tuple(returned)) or [Member(base, name)]
    return [bound]


def _field(resolver: Resolver, base: Object, cls: Class, name: str) -> list[Value]:
    _, default = cls.fields[name]
    is_record = is_record_class(resolver, cls)
    if base.node is not None and is_record:
        given = argument(resolver, base.node, base.place, name, list(cls.fields).index(name))
        if given is not None:
            return list(resolver.resolve(given))
    defaults = field_default(resolver, cls, default)
    if is_record:
        fixed = base.node is not None and not _may_be_set(resolver, base, base.node, name)
        return [Setting(name, "dataclass", id(cls), tuple(defaults), default, is_fixed=fixed)]
    return defaults or [Member(base, name)]


def _may_be_set(resolver: Resolver, base: Object, made: cst.Call, name: str) -> bool:
    """Whether a field that the construction leaves out may get another value than its default."""
    if has_unknown_arguments(resolver, made, base.place) or name in resolver.stored_attributes:
        return True
    return any(resolver.sites_named(setter) for setter in ("setattr", "replace", "parse_args_into_dataclasses"))


def field_default(resolver: Resolver, cls: Class, default: cst.BaseExpression | None) -> list[Value]:
    """The default of a class-level field, also through ``field(default=...)``."""
    if default is None:
        return []
    place = Place(resolver.frame_of(cls.place.function, cls.scope), cls.body, cls.order + 1_000_000)
    if isinstance(default, cst.Call) and dotted(default.func).rsplit(".", 1)[-1] in ("field", "Field"):
        inner = argument(resolver, default, place, "default", 0)
        return list(resolver.resolve(inner)) if inner is not None else []
    return list(resolver.resolve(Ref(default, place)))


def _class_member(resolver: Resolver, base: ClassValue, name: str) -> list[Value]:
    for cls in resolver.lineage(base.cls)[0]:
        if name in cls.methods:
            return [FunctionValue(cls.methods[name], base.place.frame, None)]
        if name in cls.fields:
            return field_default(resolver, cls, cls.fields[name][1]) or [Member(base, name)]
    return [Member(base, name)]


def resolve_subscript(resolver: Resolver, ref: Ref) -> list[Value]:
    """The values of ``base[index]`` for literal indices; any other one is an element of its base."""
    node = cst.ensure_type(ref.node, cst.Subscript)
    index = node.slice[0].slice if len(node.slice) == 1 else None
    known = resolver.resolve(Ref(index.value, ref.place)) if isinstance(index, cst.Index) else ()
    constant = _constant_index(known[0]) if len(known) == 1 else None
    choices = choices_of(known[0]) if len(known) == 1 else frozenset()
    found: list[Value] = []
    for base in resolver.resolve(Ref(node.value, ref.place)):
        found.extend(item(resolver, base, constant, choices))
    return found


def _constant_index(index: Value) -> Const | None:
    """A literal, or what the configuration file of the program holds."""
    if isinstance(index, Setting) and index.source.startswith("config:") and len(index.defaults) == 1:
        index = index.defaults[0]
    return index if isinstance(index, Const) else None


def choices_of(index: Value) -> frozenset[str]:
    """The keys that a run-time option is restricted to."""
    if not isinstance(index, Setting) or not all(isinstance(choice, Const) for choice in index.choices):
        return frozenset()
    named = (*index.choices, *index.defaults) if index.choices else ()
    return frozenset(str(choice.value) for choice in named if isinstance(choice, Const))


def item(resolver: Resolver, base: Value, index: Const | None, choices: frozenset[str] = frozenset()) -> list[Value]:
    """One element of a value by a literal index, or all that an option with ``choices`` may name."""
    if index is not None and isinstance(base, Table):
        entry = base.get(str(index.value))
        if entry is not None:
            return list(resolver.resolve(entry))
    if index is None and isinstance(base, Table) and base.complete and base.refs:
        # A run-time option chooses: every entry is possible that it may name.
        return resolver.resolve_all(tuple(ref for name, ref in base.refs if not choices or name in choices))
    position = index.value if index is not None and isinstance(index.value, int) else None
    if position is not None and isinstance(base, Items) and -len(base.refs) <= position < len(base.refs):
        return list(resolver.resolve(base.refs[position]))
    if index is not None and resolver.options.is_namespace(base) and isinstance(index.value, str):
        declared = resolver.options.lookup(resolver, base, index.value)
        if declared is not None:
            return [declared]
    return [Element(base, str(index.value) if index is not None else "?")]

"""Imported names that belong to the project: modules, and what stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.facts import Binding, Scope
from dnnlint.program.values import External, Frame, ModuleValue, Value

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

_DEEPEST = 12


def imported(resolver: Resolver, name: str, frame: Frame, binding: Binding) -> list[Value]:
    """What an import binds: something of the project where the file is found, else a library object."""
    scope = binding.block.scope if binding.block is not None else resolver.linker.units[0].scope
    importer = resolver.linker.unit_of(scope)
    found = resolver.linker.find(name, importer)
    if found is None:
        return [External(name)]
    path, rest = found
    values: list[Value] = [_module(resolver, path)]
    for part in rest.split(".") if rest else ():
        values = [inner for value in values for inner in _part(resolver, value, part)]
    return values or [External(name)]


def _module(resolver: Resolver, path: str) -> ModuleValue:
    return ModuleValue(path, resolver.linker.load(path) if path.endswith(".py") else None)


def _part(resolver: Resolver, value: Value, name: str) -> list[Value]:
    from dnnlint.program.attributes import member  # needs this module

    return member(resolver, value, name)


def module_member(resolver: Resolver, base: ModuleValue, name: str) -> list[Value]:
    """A name of a module of the project, or a module below it; an unknown one is a library object of that name."""
    from dnnlint.program.lookups import resolve_binding  # needs this module

    asked = (base.path, name)
    if base.unit is not None and asked not in resolver.importing:
        resolver.importing.add(asked)  # modules may import a name from each other in a circle
        bindings = base.unit.scope.bindings.get(name, [])
        frame = resolver.linker.frames[id(base.unit.scope)]
        values = [v for binding in bindings for v in resolve_binding(resolver, binding, frame, name)]
        values = values or starred_import(resolver, name, base.unit.scope)
        resolver.importing.discard(asked)
        if values:
            return values
    below = resolver.linker.submodule(base.path, name)
    if below is not None:
        return [_module(resolver, below)]
    return [External(f"{resolver.linker.dotted_name(base.path)}.{name}")]


def starred_import(resolver: Resolver, name: str, scope: Scope, depth: int = 0) -> list[Value]:
    """What ``from module import *`` of a module of the project makes of a name that nothing else binds."""
    unit = resolver.linker.unit_of(scope)
    if depth > _DEEPEST or name.startswith("_"):
        return []
    for full, _ in unit.facts.imports:
        found = resolver.linker.find(full[:-2], unit) if full.endswith(".*") else None
        if found is not None and not found[1]:
            module = _module(resolver, found[0])
            if module.unit is not None and name in module.unit.scope.bindings:
                return module_member(resolver, module, name)
            if module.unit is not None:
                inner = starred_import(resolver, name, module.unit.scope, depth + 1)
                if inner:
                    return inner
    return []

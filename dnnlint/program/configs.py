"""Values from the YAML, JSON and TOML files that a program loads, also through OmegaConf and Hydra."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Function
from dnnlint.program.calling import argument, arguments_of
from dnnlint.program.values import (
    Const,
    External,
    Items,
    Member,
    Operation,
    Place,
    Ref,
    Result,
    Setting,
    Table,
    Value,
)

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

_LOADERS = {
    "yaml.safe_load": "yaml",
    "yaml.load": "yaml",
    "yaml.full_load": "yaml",
    "yaml.unsafe_load": "yaml",
    "json.load": "json",
    "json.loads": "json",
    "toml.load": "toml",
    "toml.loads": "toml",
    "tomllib.load": "toml",
    "tomllib.loads": "toml",
    "tomli.load": "toml",
    "tomli.loads": "toml",
    "omegaconf.OmegaConf.load": "yaml",
}
_MERGERS = ("omegaconf.OmegaConf.merge", "omegaconf.OmegaConf.unsafe_merge")
_SAME = ("omegaconf.OmegaConf.create", "omegaconf.OmegaConf.to_container", "omegaconf.OmegaConf.to_object")
_INSTANTIATE = ("hydra.utils.instantiate", "hydra.utils.call")
_LARGEST = 1_000_000
_DEEPEST = 20
_DEEPEST_PATH = 5
_MOST_PATHS = 3
"""A path that is built in more steps, or may be more files, is not followed: each step multiplies the ways."""


def config_call(resolver: Resolver, callee: External, node: cst.Call, place: Place) -> list[Value] | None:
    """What a call that reads a configuration returns; None for any other call or a file that is not found."""
    name = callee.qualified
    if name in _LOADERS and node.args:
        path = _file_behind(resolver, Ref(node.args[0].value, place), 0)
        return _loaded(resolver, path, _LOADERS[name], place) if path else None
    if name in _MERGERS:
        return _merged(resolver, node, place)
    if name in _SAME and node.args:
        inner = resolver.resolve(Ref(node.args[0].value, place))
        return list(inner) if any(isinstance(value, Table) for value in inner) else None
    if name in _INSTANTIATE and node.args:
        return _instantiated(resolver, node, place)
    return None


def hydra_config(resolver: Resolver, function: Function) -> list[Value]:
    """The configuration that ``@hydra.main(config_path=..., config_name=...)`` passes to a function."""
    place = Place(resolver.frame_of(function.place.function, function.scope), function.place, function.order)
    for decorator in function.decorators:
        if not isinstance(decorator, cst.Call):
            continue
        callee = resolver.resolve(Ref(decorator.func, place))
        if not any(isinstance(value, External) and value.qualified == "hydra.main" for value in callee):
            continue
        folder = _text_of(resolver, argument(resolver, decorator, place, "config_path", 0)) or "."
        name = _text_of(resolver, argument(resolver, decorator, place, "config_name", 1)) or "config"
        own = os.path.dirname(resolver.linker.unit_of(function.scope).path)
        base = os.path.normpath(os.path.join(own, folder))
        data = _composed(resolver, base, name, 0)
        if data:
            return [_table(resolver, data, resolver.linker.name_of(_with_suffix(base, name)), (), {}, place)]
    return []


def _text_of(resolver: Resolver, ref: Ref | None) -> str:
    values = resolver.resolve(ref) if ref is not None else ()
    texts = [value.value for value in values if isinstance(value, Const) and isinstance(value.value, str)]
    return texts[0] if len(texts) == 1 else ""


def _file_behind(resolver: Resolver, ref: Ref, depth: int) -> str:
    """The path text behind an open file, its content, or a path; empty where it is not shown."""
    for value in resolver.resolve(ref)[:_MOST_PATHS] if depth < _DEEPEST_PATH else ():
        text = _path_text(resolver, value, depth)
        if text:
            return text
    return ""


def _path_text(resolver: Resolver, value: Value, depth: int) -> str:
    if isinstance(value, Const):
        return value.value if isinstance(value.value, str) else ""
    if isinstance(value, Setting):
        return next((v.value for v in value.defaults if isinstance(v, Const) and isinstance(v.value, str)), "")
    if isinstance(value, Operation) and isinstance(value.ref.node, cst.BinaryOperation):
        right = value.ref.node.right
        return _file_behind(resolver, Ref(right, value.ref.place), depth + 1)
    if isinstance(value, Result) and value.qualified in ("os.path.join", "posixpath.join"):
        parts = [_file_behind(resolver, Ref(a.value, value.place), depth + 1) for a in value.node.args]
        return os.path.join(*parts) if parts and parts[-1] else ""
    if isinstance(value, Result) and isinstance(value.callee, Member) and value.method in ("open", "read", "read_text"):
        return _path_text(resolver, value.callee.base, depth + 1)
    if isinstance(value, Result) and value.node.args and value.qualified:
        last = value.qualified.rsplit(".", 1)[-1]
        if last in ("open", "Path", "PurePath", "str", "expanduser", "abspath", "realpath", "to_absolute_path"):
            return _file_behind(resolver, Ref(value.node.args[0].value, value.place), depth + 1)
    return ""


def _loaded(resolver: Resolver, text: str, form: str, place: Place) -> list[Value] | None:
    linker = resolver.linker
    if linker.tree is None or os.path.isabs(text):
        return None
    folder = os.path.dirname(linker.unit_of(place.block.scope).path)
    folders = (folder, linker.tree.root, *(os.path.dirname(unit.path) for unit in linker.units))
    for base in dict.fromkeys(folders):
        path = os.path.normpath(os.path.join(base, text))
        known = resolver.config_tables.get(path)
        if known is not None:
            return [known]
        linker.read[path] = None  # also where it is missing: it may come
        if path.startswith(linker.tree.root) and os.path.isfile(path):
            data = _read(resolver, path, form)
            if not isinstance(data, dict):
                return None
            lines = _lines(resolver, path) if form == "yaml" else {}
            table = _table(resolver, data, linker.name_of(path), (), lines, place)
            resolver.config_tables[path] = table
            return [table]
    return None


def _read(resolver: Resolver, path: str, form: str) -> object:
    content = resolver.linker.read_file(path)
    if content is None or len(content) > _LARGEST:
        return None
    try:
        if form == "json":
            return json.loads(content)
        if form == "toml":
            loads = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli").loads
            return loads(content.decode())
        return import_module("yaml").safe_load(content)
    except Exception:  # each parser has errors of its own; a file that is broken says nothing
        return None


def _lines(resolver: Resolver, path: str) -> dict[tuple[str, ...], int]:
    """The line of each key of a YAML file."""
    yaml = import_module("yaml")
    found: dict[tuple[str, ...], int] = {}

    def visit(node: object, keys: tuple[str, ...]) -> None:
        pairs = getattr(node, "value", None)
        if type(node).__name__ != "MappingNode" or not isinstance(pairs, list) or len(keys) > _DEEPEST:
            return
        for key, value in pairs:
            name = (*keys, str(key.value))
            found.setdefault(name, key.start_mark.line + 1)
            visit(value, name)

    try:
        visit(yaml.compose(resolver.linker.read_file(path), Loader=yaml.SafeLoader), ())
    except Exception:  # see _read
        return {}
    return found


def _table(
    resolver: Resolver,
    data: dict[object, object],
    file: str,
    keys: tuple[str, ...],
    lines: dict[tuple[str, ...], int],
    place: Place,
) -> Table:
    node = cst.Name("config")
    entries: list[tuple[str, Ref]] = []
    for key, entry in data.items():
        path = (*keys, str(key))
        entries.append((str(key), _pinned(resolver, _value(resolver, entry, file, path, lines, place), place)))
    return Table(tuple(entries), True, node, place)


def _value(
    resolver: Resolver,
    entry: object,
    file: str,
    keys: tuple[str, ...],
    lines: dict[tuple[str, ...], int],
    place: Place,
) -> Value:
    if isinstance(entry, dict):
        return _table(resolver, entry, file, keys, lines, place)
    if isinstance(entry, list):
        refs = [
            _pinned(resolver, _value(resolver, e, file, (*keys, str(i)), lines, place), place)
            for i, e in enumerate(entry)
        ]
        return Items(tuple(refs), cst.Name("config"), place)
    line = lines.get(keys)
    source = f"config:{file}:{line}" if line else f"config:{file}"
    is_known = entry is None or (isinstance(entry, (bool, int, float, str)) and not _is_interpolated(entry))
    defaults: tuple[Value, ...] = (Const(entry),) if is_known else ()  # type: ignore[arg-type]  # checked above
    return Setting(".".join(keys), source, hash(file), defaults)


def _is_interpolated(entry: object) -> bool:
    return isinstance(entry, str) and ("${" in entry or entry == "???")


def _pinned(resolver: Resolver, value: Value, place: Place) -> Ref:
    """An expression that stands for a value which no source text shows."""
    ref = Ref(cst.Name("config"), place)
    resolver.pin(ref, value)
    return ref


def _merged(resolver: Resolver, node: cst.Call, place: Place) -> list[Value] | None:
    refs: list[tuple[str, Ref]] = []
    complete = True
    for _, ref in arguments_of(resolver, node, place):
        values = resolver.resolve(ref) if ref is not None else ()
        tables = [value for value in values if isinstance(value, Table)]
        refs += [entry for table in tables for entry in table.refs]
        complete = complete and bool(tables) and all(table.complete for table in tables)
    return [Table(tuple(refs), complete, node, place)] if refs else None


def _instantiated(resolver: Resolver, node: cst.Call, place: Place) -> list[Value] | None:
    """``instantiate(cfg.optimizer)`` makes what ``_target_`` names."""
    found: list[Value] = []
    for value in resolver.resolve(Ref(node.args[0].value, place)):
        target = value.get("_target_") if isinstance(value, Table) else None
        for named in resolver.resolve(target) if target is not None else ():
            text = named.defaults[0] if isinstance(named, Setting) and named.defaults else named
            if isinstance(text, Const) and isinstance(text.value, str):
                found.append(Result(External(text.value), node, place))
    return found or None


def _with_suffix(folder: str, name: str) -> str:
    path = os.path.join(folder, name)
    return path if name.endswith((".yaml", ".yml")) else f"{path}.yaml"


def _composed(resolver: Resolver, folder: str, name: str, depth: int) -> dict[object, object]:
    """A Hydra configuration with the groups of its defaults list put in; its own entries win, as from Hydra 1.1 on."""
    path = _with_suffix(folder, name)
    tree = resolver.linker.tree
    if tree is None or depth > _DEEPEST or not path.startswith(tree.root) or not os.path.isfile(path):
        return {}
    data = _read(resolver, path, "yaml")
    if not isinstance(data, dict):
        return {}
    result: dict[object, object] = {}
    for entry in data.pop("defaults", None) or ():
        if isinstance(entry, str) and entry != "_self_":
            _merge(
                result,
                _composed(resolver, os.path.join(folder, os.path.dirname(entry)), os.path.basename(entry), depth + 1),
            )
        elif isinstance(entry, dict):
            for group, choice in entry.items():
                plain = str(group).removeprefix("override ").removeprefix("optional ").split("@")[0].strip("/ ")
                if isinstance(choice, str):
                    inner = _composed(resolver, os.path.join(folder, plain), choice, depth + 1)
                    _merge(result, {plain.rsplit("/", 1)[-1]: inner})
    _merge(result, data)
    return result


def _merge(target: dict[object, object], source: dict[object, object]) -> None:
    for key, value in source.items():
        former = target.get(key)
        if isinstance(former, dict) and isinstance(value, dict):
            _merge(former, value)
        else:
            target[key] = value

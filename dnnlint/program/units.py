"""Modules of the project as the program model sees them, parsed once a process."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.engine.guard import find_excess
from dnnlint.engine.source import SourceProblem, decode
from dnnlint.facts import Call, Facts, Function, Scope, collect_facts
from dnnlint.program.values import Frame

if TYPE_CHECKING:
    from dnnlint.project.tree import ProjectTree

_KEPT_CHARACTERS = 3_000_000
"""How much source is kept as syntax trees between the files of a run; a tree is some hundred times its source."""


@dataclass(eq=False, repr=False)
class Unit:
    """A parsed module of the project with what is looked up in it often."""

    path: str
    """Absolute; empty for a text that no file holds."""
    text: str
    module: cst.Module
    facts: Facts

    @cached_property
    def source(self) -> str:
        """The text of the module."""
        return self.text or self.module.code

    @cached_property
    def sites(self) -> dict[str, list[Call]]:
        """The calls by called name."""
        found: dict[str, list[Call]] = {}
        for call in self.facts.calls:
            found.setdefault(call.attribute, []).append(call)
        return found

    @cached_property
    def functions(self) -> dict[int, Function]:
        """The functions by the identity of their syntax node."""
        return {id(function.node): function for function in self.facts.functions}

    @cached_property
    def stored_attributes(self) -> frozenset[str]:
        """The names of attributes that the module assigns anywhere."""
        targets = (assign.target for assign in self.facts.assigns)
        return frozenset(target.attr.value for target in targets if isinstance(target, cst.Attribute))

    @cached_property
    def node_ids(self) -> frozenset[int]:
        """The identities of the nodes that rules point at most: calls, assignments, loops, definitions, imports."""
        facts = self.facts
        nodes: list[object] = [self.module, *(call.node for call in facts.calls)]
        nodes += [call.node.func for call in facts.calls]
        for assign in facts.assigns:
            nodes += (assign.node, assign.target, assign.value)
        for group in (facts.loops, facts.withs, facts.branches, facts.functions, facts.classes):
            nodes += [record.node for record in group]
        nodes += [node for _, node in facts.imports]
        return frozenset(id(node) for node in nodes)

    @property
    def scope(self) -> Scope:
        """The scope of the module."""
        return self.facts.body.scope


class _Parsed:
    """The modules parsed last, by path, within a budget of source text."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Unit] = OrderedDict()
        self._size = 0

    def known(self, path: str, text: str) -> Unit | None:
        """A module that was parsed before, if its text is this one."""
        unit = self._kept.get(path)
        if unit is None or unit.text != text:
            return None
        self._kept.move_to_end(path)
        return unit

    def put(self, unit: Unit) -> None:
        """Keep a parsed module, and drop those used least lately beyond the budget."""
        former = self._kept.pop(unit.path, None)
        self._size += len(unit.text) - (len(former.text) if former is not None else 0)
        self._kept[unit.path] = unit
        while self._size > _KEPT_CHARACTERS and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1].text)

    def load(self, path: str, data: bytes) -> Unit | None:
        """The module of a file; None where it is no Python source that can be analysed."""
        try:
            text = decode(data).text
        except SourceProblem:
            return None
        unit = self.known(path, text)
        if unit is None and find_excess(text) is None:
            unit = _parse(path, text)
            if unit is not None:
                self.put(unit)
        return unit


PARSED = _Parsed()
"""Shared by the files of a run in this process."""


def _parse(path: str, text: str) -> Unit | None:
    try:
        module = cst.parse_module(text)
        return Unit(path, text, module, collect_facts(module))
    except Exception:  # a syntax error, too deep a nesting: the file's own check reports it
        return None


class Linker:
    """The modules that one program consists of, and the others of the project that it reaches by imports."""

    def __init__(self, units: list[Unit], tree: ProjectTree | None = None, siblings: Iterable[Unit] = ()) -> None:
        """Take the modules of the program, importers first; without a project they know no others."""
        self.units = units
        """All modules whose calls count."""
        self.siblings = tuple(siblings)
        """Modules of other programs that share some of these."""
        self.tree = tree
        self.frames: dict[int, Frame] = {id(unit.scope): Frame(None) for unit in units}
        self._units: dict[int, Unit] = {id(unit.scope): unit for unit in units}
        self._loaded: dict[str, Unit | None] = {unit.path: unit for unit in units if unit.path}
        self.read: dict[str, None] = dict.fromkeys(self._loaded)
        """The paths of the files whose content was used, in order."""

    @property
    def own(self) -> Unit:
        """The first module: the one that is checked, or the entry of several that are checked together."""
        return self.units[0]

    @property
    def parsed(self) -> list[Unit]:
        """The modules of the program and those that a name has led into so far."""
        return [unit for unit in self._loaded.values() if unit is not None] or self.units

    def load(self, path: str) -> Unit | None:
        """The parsed module of a path, the same object each time."""
        if path not in self._loaded:
            self.read[path] = None
            data = self.tree.data(path) if self.tree is not None else None
            unit = PARSED.load(path, data) if data is not None else None
            self._loaded[path] = unit
            if unit is not None:
                self._units[id(unit.scope)] = unit
                self.frames[id(unit.scope)] = Frame(None)
        return self._loaded[path]

    def read_file(self, path: str) -> bytes | None:
        """The content of another file of the project, noted as one that decided about the result."""
        if self.tree is None:
            return None
        self.read[path] = None
        return self.tree.data(path)

    def unit_of(self, scope: Scope) -> Unit:
        """The module that a scope belongs to."""
        while scope.parent is not None:
            scope = scope.parent
        return self._units[id(scope)]

    def frame_of(self, scope: Scope) -> Frame:
        """The frame of the module that a scope belongs to."""
        while scope.parent is not None:
            scope = scope.parent
        return self.frames[id(scope)]

    def find(self, name: str, importer: Unit) -> tuple[str, str] | None:
        """The file or folder behind an imported name, and the rest of the name; None for a library."""
        if self.tree is None or not importer.path:
            return None
        return self.tree.find(name, importer.path)

    def name_of(self, path: str) -> str:
        """How a message names a file of the project: relative to its root."""
        root = self.tree.root if self.tree is not None else ""
        return os.path.relpath(path, root).replace(os.sep, "/") if root else os.path.basename(path)

    def submodule(self, path: str, name: str) -> str | None:
        """The file or folder of a module directly below a package."""
        if self.tree is None:
            return None
        folder = os.path.dirname(path) if path.endswith(".py") else path
        if path.endswith(".py") and os.path.basename(path) != "__init__.py":
            return None
        return self.tree.child(folder, name)

    def dotted_name(self, path: str) -> str:
        """A module of the project as an import from its root would name it."""
        name = self.name_of(path).removesuffix(".py").removesuffix("/__init__")
        return name.replace("/", ".")

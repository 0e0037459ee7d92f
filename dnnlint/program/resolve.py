"""What an expression may stand for: names, attributes, calls and operators, followed through the file."""

from __future__ import annotations

from functools import cached_property

import libcst as cst

from dnnlint.facts import Assign, Branch, Call, Class, Function, Scope
from dnnlint.program.calling import bind_arguments
from dnnlint.program.expressions import HANDLERS, truth_of
from dnnlint.program.options import Options
from dnnlint.program.units import Linker
from dnnlint.program.values import (
    ClassValue,
    Frame,
    FunctionValue,
    Operation,
    Place,
    Ref,
    Table,
    Value,
    Values,
    unique,
)

_MAX_NESTING = 60


class Resolver:
    """Follows expressions to values. Results are memoised by syntax node and frame; cycles give no value."""

    def __init__(self, linker: Linker) -> None:
        self.linker = linker
        self.options = Options(linker)
        self.importing: set[tuple[str, str]] = set()
        """The names of modules that are being looked up."""
        self.config_tables: dict[str, Table] = {}
        """The configuration files read so far, by path."""
        self._memo: dict[tuple[int, int], Values] = {}
        self._active: set[tuple[int, int]] = set()
        self._frames: dict[tuple[object, ...], Frame] = {}
        self._sites: dict[str, list[Call]] = {}
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
            handler = HANDLERS.get(type(ref.node))
            found = unique(handler(self, ref)) if handler is not None else ()
        finally:
            self._active.discard(key)
        values = found or (Operation(ref),)
        self._memo[key] = values
        return values

    def pin(self, ref: Ref, value: Value) -> None:
        """Fix the value of an expression that stands in no source text."""
        self._memo[(id(ref.node), id(ref.place.frame))] = (value,)

    def resolve_all(self, refs: tuple[Ref, ...]) -> list[Value]:
        """The union of the values of several expressions."""
        return [value for ref in refs for value in self.resolve(ref)]

    def truth(self, ref: Ref) -> bool | None:
        """Whether a test is known to be true or false for every value it may have."""
        outcomes = {truth_of(value) for value in self.resolve(ref)}
        return outcomes.pop() if len(outcomes) == 1 else None

    def place_of(self, fact: Call | Assign | Branch, frame: Frame | None = None) -> Place:
        """Where a fact is evaluated when its function runs in ``frame``, by default in the one for all callers."""
        return Place(frame or self.frame_of(fact.block.function, fact.block.scope), fact.block, fact.order)

    def root_frame(self, function: Function, receiver: Value | None = None) -> Frame:
        """The frame of a function that nobody in the file is known to call."""
        key = ("root", id(function), receiver.key if receiver else None)
        if key not in self._frames:
            closure = self.root_frame(function.parent) if function.parent else self.module_frame(function.scope)
            self._frames[key] = Frame(function, closure, receiver=receiver)
        return self._frames[key]

    def call_frame(self, target: FunctionValue, call: cst.Call, place: Place) -> Frame:
        """The frame of one call of a project function, the same object for the same call and caller."""
        receiver = target.receiver.key if target.receiver else None
        key = ("call", id(target.function), id(call), id(place.frame), receiver)
        if key not in self._frames:
            self._frames[key] = bind_arguments(self, target, call, place)
        return self._frames[key]

    def frame_of(self, function: Function | None, scope: Scope | None = None) -> Frame:
        """The root frame of a function, or the frame of the module that a scope belongs to, by default the own one."""
        return self.root_frame(function) if function is not None else self.module_frame(scope)

    def module_frame(self, scope: Scope | None = None) -> Frame:
        """The frame of the module that a scope belongs to, by default the program's own."""
        return self.linker.frame_of(scope or self.linker.units[0].scope)

    def function_at(self, node: cst.CSTNode, scope: Scope) -> Function | None:
        """The function that a syntax node of the module around ``scope`` defines."""
        return self.linker.unit_of(scope).functions.get(id(node))

    @cached_property
    def stored_attributes(self) -> frozenset[str]:
        """The names of attributes that the program assigns anywhere."""
        return frozenset().union(*(unit.stored_attributes for unit in self.linker.units))

    def sites_named(self, name: str) -> list[Call]:
        """All calls of the program whose called name is ``name``: those of its own file first."""
        if name not in self._sites:
            self._sites[name] = [call for unit in self.linker.units for call in unit.sites.get(name, ())]
        return self._sites[name]

    def entries_set_on(self, name: str) -> list[Assign]:
        """The assignments ``name[key] = value``."""
        if self._entries is None:
            self._entries = {}
            for assign in (assign for unit in self.linker.units for assign in unit.facts.assigns):
                target = assign.target
                if isinstance(target, cst.Subscript) and isinstance(target.value, cst.Name):
                    self._entries.setdefault(target.value.value, []).append(assign)
        return self._entries.get(name, [])

    def bases_of(self, cls: Class) -> list[Value]:
        """What the base classes of a project class resolve to."""
        place = Place(self.frame_of(cls.place.function, cls.scope), cls.place, cls.order)
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

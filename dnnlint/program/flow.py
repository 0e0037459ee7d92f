"""Which names and attributes may reach a backward: by assignment, iteration, containers, calls and returns.

Order and branches are ignored, so that the answer errs on the side of yes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Block, Call, Function, lookup
from dnnlint.program.tree import Kind

if TYPE_CHECKING:
    from dnnlint.program import Program

_STORING = frozenset({"append", "extend", "add", "insert", "appendleft", "update", "setdefault", "push"})


class BackwardFlow:
    """Follows the expressions that backward is called on to the names they are made of."""

    def __init__(self, program: Program) -> None:
        """Collect the edges of the file and follow them from every backward."""
        self._program = program
        self._edges: dict[Hashable, set[Hashable]] = {}
        self._functions: dict[str, list[Function]] = {}
        for function in program.facts.functions:
            self._functions.setdefault(function.name, []).append(function)
        self._collect()
        self._reached = self._follow()

    def reaches(self, target: cst.BaseExpression, block: Block) -> bool:
        """Whether the object that a name, attribute or subscript stands for may reach a backward."""
        return key_of(target, block) in self._reached

    def _collect(self) -> None:
        program = self._program
        for assign in program.facts.assigns:
            self._link(assign.target, assign.block, self._sources(assign.value, assign.block))
        for loop in program.facts.loops:
            if loop.target is not None and loop.iterable is not None:
                self._link(loop.target, loop.body, self._sources(loop.iterable, loop.block))
        for call in program.facts.calls:
            if call.attribute in _STORING and isinstance(call.node.func, cst.Attribute):
                given = [s for a in call.node.args for s in self._sources(a.value, call.block)]
                self._link(call.node.func.value, call.block, given)
            self._link_parameters(call)
        for function in program.facts.functions:
            returned = [s for j in function.returns if j.value for s in self._sources(j.value, j.block)]
            self._edges.setdefault(("returns", id(function)), set()).update(returned)

    def _link(self, target: cst.BaseExpression, block: Block, sources: Iterable[Hashable]) -> None:
        if isinstance(target, (cst.Tuple, cst.List)):
            for element in target.elements:
                self._link(element.value, block, sources)
        else:
            key = key_of(target, block)
            if key is not None:
                self._edges.setdefault(key, set()).update(sources)

    def _link_parameters(self, call: Call) -> None:
        for function in self._functions.get(call.attribute, ()):
            given = {s for a in call.node.args for s in self._sources(a.value, call.block)}
            for parameter in function.parameters if given else ():
                self._edges.setdefault((id(function.scope), parameter.name), set()).update(given)

    def _sources(self, node: cst.CSTNode, block: Block) -> Iterator[Hashable]:
        """The names, attributes and project functions that an expression mentions."""
        if isinstance(node, cst.Call):
            name = node.func.attr.value if isinstance(node.func, cst.Attribute) else getattr(node.func, "value", "")
            for function in self._functions.get(name, ()) if isinstance(name, str) else ():
                yield ("returns", id(function))
            if isinstance(node.func, cst.Attribute):
                yield from self._sources(node.func.value, block)
            for argument in node.args:
                yield from self._sources(argument.value, block)
        elif isinstance(node, (cst.Name, cst.Attribute, cst.Subscript)):
            key = key_of(node, block)
            if key is not None:
                yield key
            if not isinstance(node, cst.Name):
                yield from self._sources(node.value, block)
        else:
            for child in node.children:
                yield from self._sources(child, block)

    def _follow(self) -> set[Hashable]:
        queue: list[Hashable] = []
        for event in self._program.events(Kind.BACKWARD):
            if event.loss is not None:
                queue.extend(self._sources(event.loss.node, event.loss.place.block))
        for name in ("backward", "grad", "manual_backward"):
            for call in self._program.resolver.sites_named(name):
                queue.extend(s for a in call.node.args for s in self._sources(a.value, call.block))
        reached: set[Hashable] = set()
        while queue:
            key = queue.pop()
            if key not in reached:
                reached.add(key)
                queue.extend(self._edges.get(key, ()))
        return reached


def key_of(node: cst.CSTNode, block: Block) -> Hashable:
    """A key for a name in its scope or for an attribute by its name; a subscript is its container."""
    while isinstance(node, cst.Subscript):
        node = node.value
    if isinstance(node, cst.Name):
        owner, _ = lookup(block.scope, node.value)
        return (id(owner), node.value) if owner is not None else None
    return ("attribute", node.attr.value) if isinstance(node, cst.Attribute) else None

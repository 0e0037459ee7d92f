"""Where a number goes: the names that may hold it or something computed from it, and the calls that get one of them.

Names stand for themselves in the whole program, whatever their scope: what is found here serves rules that are silent
where a value may have arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.calling import is_static
from dnnlint.program.values import ClassValue, FunctionValue, Object

if TYPE_CHECKING:
    from dnnlint.facts import Call, Function
    from dnnlint.program import Program

_FILLING = frozenset("append appendleft add update extend insert setdefault put fill_ copy_ add_ __setitem__".split())
_EVERYTHING = frozenset({"locals", "globals", "vars"})
_NEVER = frozenset({"self", "cls", "torch", "nn", "F", "np", "numpy", "math", "time", "os", "args", "item", "data"})
_MOST_ROUNDS = 8


class Spread:
    """The names that values with one of the ``seeds`` as name may reach, forwards through the program."""

    def __init__(self, program: Program, seeds: Iterable[str]) -> None:
        """Follow assignments, containers, loops, arguments and returns until no name is new."""
        self._program = program
        self.names = (set(seeds) | _EVERYTHING) - _NEVER
        self._words: dict[int, frozenset[str]] = {}
        for _ in range(_MOST_ROUNDS):
            before = len(self.names)
            self._spread()
            if len(self.names) == before:
                break

    def reaches(self, node: cst.CSTNode | None) -> bool:
        """Whether an expression mentions one of the names."""
        return node is not None and not self.names.isdisjoint(self._words_of(node))

    def calls(self) -> Iterator[Call]:
        """The calls that get one of the names as an argument, or part of one."""
        return (
            call for call in self._program.facts.calls if any(self.reaches(entry.value) for entry in call.node.args)
        )

    def stores(self) -> Iterator[str]:
        """The names of attributes that are set to something with one of the names."""
        for assign in self._program.facts.assigns:
            if isinstance(assign.target, cst.Attribute) and self.reaches(assign.value):
                yield assign.target.attr.value

    def _words_of(self, node: cst.CSTNode) -> frozenset[str]:
        known = self._words.get(id(node))
        if known is None:
            known = self._words[id(node)] = words_of(node)
        return known

    def _spread(self) -> None:
        for assign in self._program.facts.assigns:
            if self.reaches(assign.value):
                self._add(assign.target)
        for loop in self._program.facts.loops:
            if loop.target is not None and self.reaches(loop.iterable):
                self._add(loop.target)
        for function in self._program.facts.functions:
            if any(self.reaches(jump.value) for jump in (*function.returns, *function.yields)):
                self._add_name(function.name)
        for call in self._program.facts.calls:
            if any(self.reaches(entry.value) for entry in call.node.args):
                self._follow(call)

    def _follow(self, call: Call) -> None:
        func = call.node.func
        if call.attribute in _FILLING and isinstance(func, cst.Attribute):
            self._add(func.value)
        for function, skipped in functions_of(self._program, call):
            self._bind(call.node, function, skipped)

    def _bind(self, call: cst.Call, function: Function, skipped: int) -> None:
        positional = [p.name for p in function.parameters if p.kind in ("positional", "args")][skipped:]
        for index, entry in enumerate(call.args):
            if not self.reaches(entry.value):
                continue
            if entry.keyword is not None:
                self._add_name(entry.keyword.value)
            elif positional:
                self._add_name(positional[min(index, len(positional) - 1)])

    def _add(self, target: cst.BaseExpression) -> None:
        if isinstance(target, cst.Name):
            self._add_name(target.value)
        elif isinstance(target, cst.Attribute):
            self._add_name(target.attr.value)
        elif isinstance(target, (cst.Subscript, cst.StarredElement)):
            self._add(target.value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            for element in target.elements:
                self._add(element.value)

    def _add_name(self, name: str) -> None:
        if name not in _NEVER and name != "_":
            self.names.add(name)


def functions_of(program: Program, call: Call) -> list[tuple[Function, int]]:
    """The functions of the program behind a call, each with the number of parameters that the call does not give."""
    found: list[tuple[Function, int]] = []
    for value in program.resolve(call.node.func, call):
        if isinstance(value, FunctionValue):
            bound = value.receiver is not None and not is_static(value.function)
            found.append((value.function, int(bound)))
        elif isinstance(value, (ClassValue, Object)):
            method = value.cls.methods.get("__init__" if isinstance(value, ClassValue) else "__call__")
            if method is not None:
                found.append((method, 1))
    return found


def words_of(node: cst.CSTNode) -> frozenset[str]:
    """The plain names and attribute names in an expression, those of keywords left out.

    Methods stay: ``meter.avg`` and ``meter.compute()`` are known by ``avg`` and ``compute`` as by ``meter``.
    """
    found: set[str] = set()
    stack: list[cst.CSTNode] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, cst.Name):
            found.add(current.value)
        elif isinstance(current, cst.Arg):
            stack.append(current.value)
        else:
            stack.extend(current.children)
    return frozenset(found)

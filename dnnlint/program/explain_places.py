"""Lines, words and values for the explanation of a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.engine.positions import Layout, header_span, lay_out
from dnnlint.engine.source import LineTable
from dnnlint.facts import Block
from dnnlint.program.explain_records import Action, Quantity, Spot, UnknownRecord
from dnnlint.program.explain_values import computed
from dnnlint.program.tree import Event
from dnnlint.program.values import Const, Ref, Setting, Values
from dnnlint.program.wording import described, option_name, source_text

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.units import Unit

NOT_GIVEN = Quantity("", "not given")


class Describer:
    """Turns nodes into lines and expressions into quantities; collects the settings that stay unknown."""

    def __init__(self, program: Program, name_of: Callable[[str], str]) -> None:
        """Take the program and how its files are named."""
        self.program = program
        self.name_of = name_of
        self.unknown: dict[tuple[str, Spot], UnknownRecord] = {}
        self._layouts: dict[int, tuple[Layout, LineTable, str]] = {}

    def spot(self, node: cst.CSTNode, block: Block) -> Spot:
        """The line on which a node starts; ``block`` says in which file."""
        unit = self.program.linker.unit_of(block.scope)
        layout, lines, text = self._layout(unit)
        if node not in layout.spans:
            layout = lay_out(unit.module, [node])
        start = header_span(node, layout, text)[0] if node in layout.spans else 0
        return Spot(self.name_of(unit.path), lines.line(start))

    def _layout(self, unit: Unit) -> tuple[Layout, LineTable, str]:
        if id(unit) not in self._layouts:
            facts = unit.facts
            nodes: list[cst.CSTNode] = [call.node for call in facts.calls]
            nodes += [assign.node for assign in facts.assigns]
            nodes += [loop.node for loop in facts.loops]
            nodes += [branch.node for branch in facts.branches]
            nodes += [function.node for function in facts.functions]
            text = unit.module.code
            self._layouts[id(unit)] = (lay_out(unit.module, nodes), LineTable(text), text)
        return self._layouts[id(unit)]

    def code(self, node: cst.CSTNode) -> str:
        """The source of a node, short and on one line."""
        return source_text(self.program, node)

    def action(self, event: Event) -> Action:
        """An event as a call with its line."""
        return Action(self.spot(event.call.node, event.place.block), self.code(event.call.node), event.how)

    def quantity(self, name: str, ref: Ref) -> Quantity:
        """The value of an expression; noted under a name where it is not known."""
        values = self.program.resolver.resolve(ref)
        found = Quantity(self.code(ref.node), described(values), literals(values), option_name(values).strip("`"))
        if not found.text and (result := computed(self.program.resolver, ref)) is not None:
            return Quantity(found.expression, f"{result.value!r} (with the defaults of its options)", (result.value,))
        if not found.text:
            record = UnknownRecord(name, found.expression, self.spot(ref.node, ref.place.block), found.option)
            self.unknown.setdefault((name, record.at), record)
        return found


def literals(values: Values) -> tuple[bool | int | float | str | None, ...]:
    """The literal values among what an expression stands for, defaults of options included; without repeats."""
    found: dict[tuple[str, str], bool | int | float | str | None] = {}
    for value in values:
        if isinstance(value, Const):
            found[type(value.value).__name__, repr(value.value)] = value.value
        elif isinstance(value, Setting):
            for inner in literals(value.defaults):
                found[type(inner).__name__, repr(inner)] = inner
    return tuple(found.values())


def distinct(events: Iterable[Event]) -> list[Event]:
    """Events of different calls: a function that is put in place twice shows each of its events twice."""
    return list({id(event.call.node): event for event in reversed(list(events))}.values())[::-1]

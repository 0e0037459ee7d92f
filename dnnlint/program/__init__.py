"""The training program: what a script does, as far as its text shows it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from dnnlint.facts import (
    Assign,
    Block,
    Branch,
    Call,
    Class,
    Facts,
    Function,
    Loop,
    With,
    collect_facts,
    qualified_names,
)
from dnnlint.program.calling import argument
from dnnlint.program.conditions import Conditions
from dnnlint.program.expand import Expander
from dnnlint.program.loaders import LoaderUses
from dnnlint.program.paths import PathFinder
from dnnlint.program.resolve import Resolver
from dnnlint.program.roles import Roles
from dnnlint.program.training import TrainingLoop, training_loops
from dnnlint.program.tree import Activation, Event, Sequence, events
from dnnlint.program.units import PARSED, Linker, Unit
from dnnlint.program.values import Place, Ref, Values

if TYPE_CHECKING:
    import libcst as cst

    from dnnlint.project.tree import ProjectTree


class Program:
    """Everything rules ask about one file. Its parts are worked out when the first rule asks for them."""

    def __init__(self, unit: Unit, tree: ProjectTree | None = None) -> None:
        """Take a parsed module, and the project that its imports and callers are looked for in."""
        self.module = unit.module
        self.facts = unit.facts
        self.linker = Linker(unit, tree)
        self.resolver = Resolver(self.linker)
        self.roles = Roles(self.resolver)
        self.conditions = Conditions(self.resolver)

    @cached_property
    def roots(self) -> list[Sequence | Activation]:
        """The expanded program: the module, and each function that nothing else in the file reaches."""
        return Expander(self.resolver, self.roles).roots()

    @cached_property
    def training_loops(self) -> list[TrainingLoop]:
        """The loops that make gradients and step an optimizer."""
        if not self.resolver.sites_named("backward") and not self.resolver.sites_named("manual_backward"):
            return []
        found = training_loops(self.roots, PathFinder(self.conditions), self.resolver)
        if not self.linker.callers and len(self.linker.units) == 1:
            return found
        # What a loop elsewhere uses may be made in this file: the loops of other files come last, not never.
        return sorted(found, key=lambda loop: not self._has_part_in(loop))

    def is_own(self, block: Block) -> bool:
        """Whether a block of statements stands in the file that is checked, not in one that it is linked with."""
        return self.linker.unit_of(block.scope) is self.linker.own

    def _has_part_in(self, loop: TrainingLoop) -> bool:
        window = loop.window
        return (window is not None and self.is_own(window.place.block)) or any(
            self.is_own(event.place.block) for event in events(loop.body)
        )

    @cached_property
    def loader_uses(self) -> LoaderUses:
        """Which loops take their batches from which data loader."""
        return LoaderUses(self)

    def events(self, *kinds: str) -> list[Event]:
        """The events of some kinds in the whole program; a function called twice shows its events twice."""
        return [event for event in self._all_events if not kinds or event.kind in kinds]

    @cached_property
    def _all_events(self) -> list[Event]:
        return [event for root in self.roots for event in events(root)]

    def place_of(self, fact: Call | Assign | Branch) -> Place:
        """Where a fact is evaluated, with the parameters of its function standing for all that callers pass."""
        return self.resolver.place_of(fact)

    def resolve(self, node: cst.BaseExpression, call: Call) -> Values:
        """The values of an expression that belongs to a call."""
        return self.resolver.resolve(Ref(node, self.place_of(call)))

    def argument(self, call: Call, name: str, position: int = -1) -> Ref | None:
        """An argument of a call to a library callable, by keyword or position, through ``**mappings``."""
        return argument(self.resolver, call.node, self.place_of(call), name, position)

    def calls_to(self, *qualified: str) -> list[Call]:
        """The calls of library callables by their qualified names, those of the checked file first, in source order."""
        wanted = set(qualified)
        return [call for call in self.all_calls if wanted.intersection(qualified_names(call))]

    @cached_property
    def all_calls(self) -> list[Call]:
        """The calls of the checked file and of the files it is linked with."""
        return [call for unit in self.linker.units for call in unit.facts.calls]

    @cached_property
    def all_assigns(self) -> list[Assign]:
        """The assignments of the same files."""
        return [assign for facts in self.all_facts for assign in facts.assigns]

    @cached_property
    def all_functions(self) -> list[Function]:
        """The functions of the same files."""
        return [function for facts in self.all_facts for function in facts.functions]

    @cached_property
    def all_withs(self) -> list[With]:
        """The ``with`` statements of the same files."""
        return [statement for facts in self.all_facts for statement in facts.withs]

    @cached_property
    def all_loops(self) -> list[Loop]:
        """The loops of the same files."""
        return [loop for facts in self.all_facts for loop in facts.loops]

    def loads_attribute(self, name: str) -> bool:
        """Whether an attribute of this name is read anywhere in these files, outside of a call's own name."""
        return any(name in facts.attribute_loads for facts in self.all_facts)

    def calls_in(self, cls: Class) -> list[Call]:
        """The calls in the body of a class of the project, whichever file it stands in."""
        unit = self.linker.unit_of(cls.scope)
        return [call for call in unit.facts.calls if call.block.within(cls.body)]

    @property
    def all_facts(self) -> list[Facts]:
        """The facts of the checked file, then those of the files it is linked with."""
        return [unit.facts for unit in self.linker.units]

    def imports(self, *roots: str) -> bool:
        """Whether the program imports one of these top-level packages (or modules below a dotted name)."""
        names = (name for facts in self.all_facts for name, _ in facts.imports)
        return any(name == root or name.startswith(f"{root}.") for name in names for root in roots)


def build_program(module: cst.Module, path: str = "", tree: ProjectTree | None = None, text: str = "") -> Program:
    """Collect the facts of a parsed file; the training program behind them is worked out when a rule asks.

    With the absolute path of the file and its project, imports are followed into the files of the project.
    """
    unit = PARSED.known(path, text) if tree is not None else None
    if unit is None or unit.module is not module:
        unit = Unit(path, text, module, collect_facts(module))
        if tree is not None and path:
            PARSED.put(unit)
    return Program(unit, tree)

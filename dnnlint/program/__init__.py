"""The training program: what a script does, as far as its text shows it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from dnnlint.facts import (
    Assign,
    Block,
    Branch,
    Call,
    Class,
    Facts,
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
from dnnlint.program.units import Linker, Unit
from dnnlint.program.values import Place, Ref, Values

if TYPE_CHECKING:
    import libcst as cst

    from dnnlint.project.tree import ProjectTree


class Program:
    """Everything rules ask about one script: its file and those it is linked with, with the facts of all of them.

    Its parts are worked out when the first rule asks for them.
    """

    def __init__(self, units: list[Unit], tree: ProjectTree | None = None, siblings: Iterable[Unit] = ()) -> None:
        """Take the parsed modules, importers first, and the project that other imports are looked for in."""
        self.module = units[0].module
        self.facts = units[0].facts if len(units) == 1 else _merged([unit.facts for unit in units])
        self.linker = Linker(units, tree, siblings)
        self.resolver = Resolver(self.linker)
        self.roles = Roles(self.resolver)
        self.conditions = Conditions(self.resolver)

    @cached_property
    def roots(self) -> list[Sequence | Activation]:
        """The expanded program: the module, and each function that nothing else in it reaches."""
        return Expander(self.resolver, self.roles).roots()

    @cached_property
    def training_loops(self) -> list[TrainingLoop]:
        """The loops that make gradients and step an optimizer."""
        if not self.resolver.sites_named("backward") and not self.resolver.sites_named("manual_backward"):
            return []
        return training_loops(self.roots, PathFinder(self.conditions), self.resolver)

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
        """The calls of library callables by their qualified names, file by file in source order."""
        wanted = set(qualified)
        return [call for call in self.facts.calls if wanted.intersection(qualified_names(call))]

    def is_own(self, block: Block) -> bool:
        """Whether a block of statements belongs to the program, not to a file that a name has led into."""
        return self.linker.unit_of(block.scope) in self.linker.units

    def path_of(self, block: Block) -> str:
        """The absolute path of the file that a block of statements stands in; empty for a bare text."""
        return self.linker.unit_of(block.scope).path

    def loads_attribute(self, name: str) -> bool:
        """Whether an attribute of this name is read anywhere in these files, outside of a call's own name."""
        return name in self.facts.attribute_loads

    def calls_in(self, cls: Class) -> list[Call]:
        """The calls in the body of a class of the project, whichever file it stands in."""
        unit = self.linker.unit_of(cls.scope)
        return [call for call in unit.facts.calls if call.block.within(cls.body)]

    @property
    def all_facts(self) -> list[Facts]:
        """The facts file by file."""
        return [unit.facts for unit in self.linker.units]

    def imports(self, *roots: str) -> bool:
        """Whether the program imports one of these top-level packages (or modules below a dotted name)."""
        names = (name for facts in self.all_facts for name, _ in facts.imports)
        return any(name == root or name.startswith(f"{root}.") for name in names for root in roots)


def _merged(parts: list[Facts]) -> Facts:
    """The facts of several files as if they were one; the body is that of the first."""
    facts = Facts(parts[0].module, parts[0].body)
    for part in parts:
        facts.calls += part.calls
        facts.assigns += part.assigns
        facts.loops += part.loops
        facts.withs += part.withs
        facts.branches += part.branches
        facts.functions += part.functions
        facts.classes += part.classes
        facts.imports += part.imports
        for name, count in part.attribute_loads.items():
            facts.attribute_loads[name] = facts.attribute_loads.get(name, 0) + count
    return facts


def build_program(source: cst.Module | Unit, tree: ProjectTree | None = None) -> Program:
    """The program of one file; what it does is worked out when a rule asks.

    Of a module of a project, imports are followed into the other files.
    """
    return Program([source if isinstance(source, Unit) else Unit("", "", source, collect_facts(source))], tree)

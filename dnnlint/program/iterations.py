"""What one iteration is at a place, and which variables outlive it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from dnnlint.facts import Assign, Binding, BindingKind, Block, BlockKind, Call, Function, Scope, lookup
from dnnlint.facts.names import split_chain
from dnnlint.program.calling import argument
from dnnlint.program.lookups import call_sites
from dnnlint.program.tree import Activation, Event, Kind, Node, Repeat, events, loops_around, walk
from dnnlint.program.values import Const, Place

if TYPE_CHECKING:
    from dnnlint.program import Program


_MAX_CALLS = 4


class Iteration(NamedTuple):
    """The body that is repeated: of a loop, or of a function that is called in a loop."""

    block: Block
    trains: bool
    """Whether it holds the backward of what it computes."""
    retains: bool
    """Whether that backward keeps the graph."""
    runs_model: bool = True
    """Whether a network runs in it: a loop over the terms of one loss has none."""


class Iterations:
    """The iterations of one program."""

    def __init__(self, program: Program) -> None:
        """Note which loops hold a backward of their own, and which functions run in loops."""
        self._program = program
        self._direct: dict[int, list[Event]] = {}
        self._parts_of_steps: set[int] = set()
        self._repeated: dict[int, list[Activation]] = {}
        self._of_forwards: set[int] = set()
        """The blocks around forward passes, those of callers included."""
        for root in program.roots:
            for node in walk(root):
                self._note(node)

    def _note(self, node: Node) -> None:
        if isinstance(node, Event) and node.kind == Kind.BACKWARD:
            loops = loops_around(node)
            if loops:
                self._direct.setdefault(id(loops[0].loop.node), []).append(node)
        elif isinstance(node, Event) and node.kind == Kind.FORWARD:
            self._of_forwards |= _blocks_around(node)
        elif isinstance(node, Activation) and loops_around(node):
            self._repeated.setdefault(id(node.function), []).append(node)
        elif isinstance(node, Repeat) and not events(node.body, Kind.BACKWARD):
            outer = loops_around(node)
            if outer and _followed_by_backward(node, outer[0]):
                self._parts_of_steps.add(id(node.loop.node))

    def around(self, block: Block, depth: int = 0) -> Iteration | None:
        """The iteration that a block is part of, None outside of loops."""
        loops = _loops(block)
        for index, loop in enumerate(loops):
            backwards = self._direct.get(id(loop.node), [])
            if backwards:
                return Iteration(loop, trains=True, retains=self._retain(backwards))
            if id(loop.node) not in self._parts_of_steps or index + 1 == len(loops):
                runs = id(loop) in self._of_forwards
                return Iteration(loop, trains=False, retains=False, runs_model=runs)
        return self._called(block.function, depth + 1) if block.function is not None else None

    def _called(self, function: Function, depth: int) -> Iteration | None:
        """A function without a loop that is called in one."""
        activations = self._repeated.get(id(function), [])
        if not activations:
            # The program shows only functions that train; a meter is found by its calls.
            calls = call_sites(self._program.resolver, function) if depth < _MAX_CALLS else []
            found = [self.around(call.block, depth) for call in calls]
            outer = next((iteration for iteration in found if iteration is not None), None)
            return outer._replace(block=function.body) if outer is not None else None
        backwards = [event for node in activations for event in events(node, Kind.BACKWARD)]
        if not backwards:
            around = [loops_around(node)[0] for node in activations]
            backwards = [event for loop in around for event in self._direct.get(id(loop.loop.node), [])]
        return Iteration(function.body, trains=bool(backwards), retains=self._retain(backwards))

    def _retain(self, backwards: list[Event]) -> bool:
        return any(retains_graph(self._program, event) for event in backwards)

    def outlives(self, container: cst.BaseExpression, fact: Call | Assign, iteration: Iteration) -> bool:
        """Whether a name, attribute or element still holds its content when the next iteration runs."""
        node = container
        while isinstance(node, cst.Subscript):
            node = node.value
        root, chain = split_chain(node)
        if not isinstance(root, cst.Name):
            return False
        if chain and _is_set_before(self._program, node, fact, iteration):
            return False
        owner, bindings = lookup(fact.block.scope, root.value)
        if owner is None:
            return False
        inside = [
            b
            for b in bindings
            if b.kind != BindingKind.AUG
            and b.block is not None
            and b.block.within(iteration.block)
            and b.kind != BindingKind.PARAM
            and b.order < fact.order
            and fact.block.within(b.block)
        ]
        if inside:
            return False
        return bool(chain) or owner.kind == "module" or not _lives_in(owner, iteration) or _is_parameter(bindings)


def _blocks_around(event: Event) -> set[int]:
    found: set[int] = set()
    place: Place | None = event.place
    while place is not None:
        block: Block | None = place.block
        while block is not None:
            found.add(id(block))
            block = block.parent
        place = place.frame.caller
    return found


def retains_graph(program: Program, backward: Event) -> bool:
    """Whether a backward is certainly called with ``retain_graph=True``."""
    call = backward.call.node
    if not isinstance(call, cst.Call):
        return False
    given = argument(program.resolver, call, backward.place, "retain_graph")
    return given is not None and program.resolver.resolve(given) == (Const(True),)


def _is_parameter(bindings: list[Binding]) -> bool:
    return any(binding.kind == BindingKind.PARAM for binding in bindings)


def _lives_in(owner: Scope, iteration: Iteration) -> bool:
    """Whether the scope of a name begins anew with each iteration: that of the repeated function itself."""
    block = iteration.block
    return block.kind == BlockKind.FUNCTION and block.scope is owner


def _is_set_before(program: Program, node: cst.BaseExpression, fact: Call | Assign, iteration: Iteration) -> bool:
    """Whether an attribute is given a new value earlier in the same iteration."""
    _, chain = split_chain(node)
    for assign in program.facts.assigns:
        if assign.operator or assign.order >= fact.order or not isinstance(assign.target, cst.Attribute):
            continue
        always = assign.block.within(iteration.block) and fact.block.within(assign.block)
        if always and split_chain(assign.target)[1] == chain:
            return True
    return False


def _loops(block: Block) -> list[Block]:
    """The bodies of the loops around a block inside its function, innermost first."""
    found = []
    current: Block | None = block
    while current is not None and current.kind not in (BlockKind.FUNCTION, BlockKind.MODULE):
        if current.kind == BlockKind.LOOP:
            found.append(current)
        current = current.parent
    return found


def _followed_by_backward(inner: Repeat, outer: Repeat) -> bool:
    """Whether a loop runs the backward itself after an inner loop, as in a step with several terms."""
    seen = False
    for node in walk(outer.body):
        seen = seen or node is inner
        if seen and isinstance(node, Event) and node.kind == Kind.BACKWARD and loops_around(node)[0] is outer:
            return True
    return False

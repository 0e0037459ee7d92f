"""Ranks: what depends on the rank of a process, and which code runs on one rank only.

A test counts where it names a rank or a main process, itself or through the names, parameters and functions behind it.
Which side of a test runs is told apart for plain comparisons with 0 only; code beside any other is taken to know.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Block, BlockKind, Branch, Call, lookup
from dnnlint.program.libraries import DISTRIBUTED_DATA_PARALLEL
from dnnlint.program.tree import Activation, Event, Fork, Leave, Sequence, ancestors, contexts_around, walk
from dnnlint.program.unknown_calls import is_library
from dnnlint.program.values import ClassValue, FunctionValue, Object, Place, Ref

if TYPE_CHECKING:
    from dnnlint.program import Program

INIT_PROCESS_GROUP = (
    "torch.distributed.init_process_group",
    "torch.distributed.distributed_c10d.init_process_group",
)
FRAMEWORKS = tuple(
    "accelerate lightning pytorch_lightning lightning_fabric deepspeed ignite composer ray horovod colossalai mmengine "
    "mmcv torch_xla".split()
)
"""These start the processes, wrap the model and split the data."""

_RANK = re.compile(
    r"rank|main_?proc|is_?main|is_?master|^master|is_?primary|primary_|global_zero|is_?leader|is_?chief|should_?save|"
    r"coordinator|process_index|proc(ess)?_id|^main_",
    re.I,
)
_WORLD = re.compile(r"distribut|ddp|fsdp|world|replica|shard|parallel|num_gpus|n_gpu|ngpu|device_count", re.I)
_MASTER_ONLY = re.compile(
    r"on_master|on_main|rank_?(0|zero)|main_?process|master_only|main_only|only_on|run_once", re.I
)
_MAX_DEPTH = 5
_IN_FILE = (FunctionValue, ClassValue, Object)


def is_distributed(program: Program, block: Block) -> bool:
    """Whether a script that a block of code belongs to starts a process group or wraps a model in DDP."""
    return runs_beside(program, block, *INIT_PROCESS_GROUP, *DISTRIBUTED_DATA_PARALLEL)


def runs_beside(program: Program, block: Block, *qualified: str) -> bool:
    """Whether some file reaches, through its imports, both a block of code and a call of one of these.

    Scripts that share a module are judged together, and what one of them does is not what the others do.
    """
    own, tree = program.path_of(block), program.linker.tree
    marks = {program.path_of(call.block) for call in program.calls_to(*qualified)}
    if tree is None or not marks or own in marks or len(program.linker.units) == 1:
        return bool(marks)
    reached = (tree.reachable(unit.path) | {unit.path} for unit in program.linker.units)
    return any(own in paths and not marks.isdisjoint(paths) for paths in reached)


def names_rank(program: Program, ref: Ref) -> bool:
    """Whether an expression depends on the rank of the process, as far as the names on its way show."""
    return any(_RANK.search(name) for name in _Trail(program, is_test=False).names(ref))


def names_distribution(program: Program, ref: Ref) -> bool:
    """Whether an expression depends on the rank, the number of processes or whether there are several."""
    return any(_RANK.search(name) or _WORLD.search(name) for name in _Trail(program, is_test=False).names(ref))


def tests_distribution(program: Program, test: Ref) -> bool:
    """Whether a condition is about the rank or about training in several processes, not about a computed value."""
    return any(_RANK.search(name) or _WORLD.search(name) for name in _Trail(program, is_test=True).names(test))


def mentions_rank(node: cst.CSTNode) -> bool:
    """Whether a piece of code names a rank or the number of processes anywhere."""
    return any(_RANK.search(name) or _WORLD.search(name) for name in _words(node))


def mentions_text(program: Program, *texts: str) -> bool:
    """Whether one of some texts stands anywhere in a file of the program, be it in a comment."""
    return any(text in unit.source for unit in program.linker.units for text in texts)


def runs_on_one_rank(program: Program, event: Event) -> bool:
    """Whether a test, an early return, a decorator or the name of a caller keeps other ranks from an event."""
    if any(_mentions_master(ref.node) for ref in contexts_around(event)):
        return True
    inner: object = event
    for outer in ancestors(event):
        if isinstance(outer, Fork) and _lets_one_rank_in(program, outer, inner):
            return True
        if isinstance(outer, Activation) and _MASTER_ONLY.search(outer.function.name):
            return True
        if isinstance(outer, Sequence):
            before = outer.children[: next(i for i, child in enumerate(outer.children) if child is inner)]
            if any(isinstance(node, Fork) and _leaves_other_ranks(program, node) for node in before):
                return True
        inner = outer
    return False


def _lets_one_rank_in(program: Program, fork: Fork, side: object) -> bool:
    test = fork.test
    if test is None or not tests_distribution(program, test):
        return False
    return not _keeps_first_away(test.node, is_then=side is fork.then)


def _keeps_first_away(test: cst.BaseExpression, *, is_then: bool) -> bool:
    """Whether a plain ``rank == 0``, ``rank != 0`` or ``rank > 0`` lets all ranks but the first through."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return False
    part = test.comparisons[0]
    is_zero = isinstance(part.comparator, cst.Integer) and part.comparator.value == "0"
    if not is_zero or not any(_RANK.search(name) for name in _words(test.left)):
        return False
    if isinstance(part.operator, cst.Equal):
        return not is_then
    return is_then and isinstance(part.operator, (cst.NotEqual, cst.GreaterThan))


def is_chosen_by_rank(program: Program, call: Call) -> bool:
    """Whether a branch around a call, in its own function, tests the rank or whether training is distributed."""
    place = program.place_of(call)
    block: Block | None = call.block
    while block is not None and block.kind != BlockKind.MODULE:
        owner = block.owner
        if isinstance(owner, Branch) and owner.test is not None:
            test = Ref(owner.test, Place(place.frame, owner.block, owner.order))
            if tests_distribution(program, test):
                return True
        if block.kind == BlockKind.FUNCTION:
            return False
        block = block.parent
    return False


def calls_unknown(program: Program, pattern: str) -> bool:
    """Whether the file calls a function of another project file whose name matches a pattern."""
    wanted = re.compile(pattern, re.I)
    for call in program.facts.calls:
        if wanted.search(call.attribute):
            values = program.resolve(call.node.func, call)
            if not any(isinstance(value, _IN_FILE) or is_library(value) for value in values):
                return True
    return False


def _leaves_other_ranks(program: Program, fork: Fork) -> bool:
    if fork.test is None or not tests_distribution(program, fork.test):
        return False
    return any(isinstance(node, Leave) and node.kind != "yield" for node in walk(fork))


def _mentions_master(node: cst.CSTNode) -> bool:
    return any(_MASTER_ONLY.search(name) for name in _words(node))


class _Trail:
    """The words on the way of an expression: its own, those of what its names are bound to, of functions it calls.

    On the way of a test the arguments of calls do not count: a loss is computed by a wrapped model, and a test of the
    loss is no test of the rank.
    """

    def __init__(self, program: Program, *, is_test: bool) -> None:
        self._program = program
        self._is_test = is_test
        self._seen: set[Hashable] = set()

    def names(self, ref: Ref, depth: int = 0) -> Iterator[str]:
        """The words, outermost first."""
        key = (id(ref.node), id(ref.place.frame))
        if key in self._seen or depth > _MAX_DEPTH:
            return
        self._seen.add(key)
        narrow = self._is_test and depth > 0
        if narrow and self._is_forward(ref):
            return
        yield from _words(ref.node, in_arguments=not narrow)
        stops = narrow and isinstance(ref.node, cst.Call) and not _is_cast(ref.node)
        for part in (ref.node,) if stops else _parts(ref.node, in_arguments=not self._is_test):
            yield from self._behind(Ref(part, ref.place), depth + 1)

    def _is_forward(self, ref: Ref) -> bool:
        """``model(x)``, and a method of what it returns."""
        node: cst.CSTNode = ref.node
        while isinstance(node, cst.Call):
            if self._program.roles.any_of(self._program.resolver.resolve(Ref(node.func, ref.place)), "model"):
                return True
            node = node.func.value if isinstance(node.func, cst.Attribute) else node.func
        return False

    def _behind(self, part: Ref, depth: int) -> Iterator[str]:
        """What stands behind one name or call."""
        for binding, place in self._program.conditions.bindings(part):
            if isinstance(binding.value, cst.BaseExpression):
                yield from self.names(Ref(binding.value, place), depth)
        if isinstance(part.node, cst.Name):
            yield from self._unpacked(part, part.node.value, depth)
        elif isinstance(part.node, cst.Call):
            for value in self._program.resolver.resolve(Ref(part.node.func, part.place)):
                if isinstance(value, FunctionValue) and id(value.function) not in self._seen:
                    self._seen.add(id(value.function))
                    yield from _words(value.function.node.body)

    def _unpacked(self, name: Ref, text: str, depth: int) -> Iterator[str]:
        """``rank, world = setup()``, and what callers pass for a parameter."""
        frame = name.place.frame
        for passed in frame.arguments.get(text, ()):
            yield from self.names(passed, depth)
        _, bindings = lookup(name.place.block.scope, text)
        for binding in bindings:
            if binding.path and isinstance(binding.value, cst.BaseExpression) and binding.block is not None:
                yield from self.names(Ref(binding.value, Place(frame, binding.block, binding.order)), depth)


def _words(node: cst.CSTNode, *, in_arguments: bool = True) -> Iterator[str]:
    """The names and the texts in a piece of code; without arguments of calls only the texts of those."""
    stack = [(node, True)]
    while stack:
        current, names = stack.pop()
        if isinstance(current, cst.SimpleString):
            yield current.raw_value
        elif isinstance(current, cst.Name) and names:
            yield current.value
        inside = in_arguments or _is_cast(current)
        stack.extend((child, names and (inside or not isinstance(child, cst.Arg))) for child in current.children)


def _parts(node: cst.CSTNode, *, in_arguments: bool) -> Iterator[cst.BaseExpression]:
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, (cst.Name, cst.Attribute, cst.Call)):
            yield current
        keep = in_arguments or _is_cast(current)
        stack.extend(child for child in current.children if keep or not isinstance(child, cst.Arg))


def _is_cast(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in ("int", "bool", "str")

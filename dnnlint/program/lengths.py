"""How many batches a loop takes: the length of ranges and loaders, and whether an iterable ends at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Function
from dnnlint.program.calling import argument
from dnnlint.program.datasets import is_iterable_dataset
from dnnlint.program.literals import number
from dnnlint.program.loaders import LOADERS
from dnnlint.program.roles import last_name
from dnnlint.program.tree import Repeat
from dnnlint.program.values import FunctionValue, Items, Operation, Ref, Result, Value

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

# Calls that hand the elements of their first argument on, one by one.
_TRANSPARENT = frozenset({"enumerate", "tqdm", "track", "iter", "zip", "prefetch"})
_CREATORS = frozenset("randn rand randint zeros ones empty arange full".split())


def batches_of(program: Program, iterable: Ref) -> int | None:
    """The number of elements of an iterable, None where it is not known."""
    values = program.resolver.resolve(iterable)
    made = values[0] if len(values) == 1 else None
    if isinstance(made, Items):
        return len(made.refs)
    if isinstance(made, Operation) and isinstance(made.ref.node, cst.ListComp):
        clause = made.ref.node.for_in
        plain = not clause.ifs and clause.inner_for_in is None
        return batches_of(program, Ref(clause.iter, made.ref.place)) if plain else None
    if not isinstance(made, Result):
        return None
    first = Ref(made.node.args[0].value, made.place) if made.node.args else None
    if first is None:
        return None
    if made.qualified in LOADERS:
        return _batches_of_loader(program, made)
    if made.qualified == "builtins.range":
        return _length_of_range(program, made)
    return batches_of(program, first) if last_name(made) in _TRANSPARENT else None


def _length_of_range(program: Program, made: Result) -> int | None:
    bounds = [number(program.resolver.resolve(Ref(a.value, made.place))) for a in made.node.args]
    numbers = [int(bound) for bound in bounds if bound is not None]
    return len(range(*numbers)) if len(numbers) == len(bounds) and 0 not in numbers[2:] else None


def _batches_of_loader(program: Program, made: Result) -> int | None:
    resolver = program.resolver
    dataset = argument(resolver, made.node, made.place, "dataset", 0)
    batch = argument(resolver, made.node, made.place, "batch_size", 1)
    dropped = argument(resolver, made.node, made.place, "drop_last", 8)
    samples = _samples_of(program, dataset) if dataset is not None else None
    size = number(resolver.resolve(batch)) if batch is not None else 1
    drops = resolver.truth(dropped) if dropped is not None else False
    if samples is None or not size or drops is None:
        return None
    return samples // int(size) if drops else -(-samples // int(size))


def _samples_of(program: Program, dataset: Ref) -> int | None:
    """The rows of the first tensor of a ``TensorDataset``."""
    resolver = program.resolver
    for value in resolver.resolve(dataset):
        if isinstance(value, Result) and last_name(value) == "TensorDataset" and value.node.args:
            for tensor in resolver.resolve(Ref(value.node.args[0].value, value.place)):
                if isinstance(tensor, Result) and last_name(tensor) in _CREATORS and tensor.node.args:
                    sizes = [number(resolver.resolve(Ref(a.value, tensor.place))) for a in tensor.node.args]
                    if last_name(tensor) != "randint" and sizes[0] is not None:
                        return int(sizes[0])
    return None


def is_finite(program: Program, loop: TrainingLoop, iterable: Ref) -> bool:
    """Whether an iterable certainly ends: a loader, a thing of known length, what each epoch runs through."""
    node = iterable.node
    for value in program.resolver.resolve(iterable):
        verdict = _ends(program, value, 0)
        if verdict is not None:
            return verdict
    if _is_measured(program, node):
        return True
    return any(_is_epoch_loop(outer) for outer in loop.outer)


def _ends(program: Program, value: Value, depth: int) -> bool | None:
    """Whether a value ends when iterated over, None where that does not show."""
    if depth > 8:
        return None
    if isinstance(value, Result):
        if value.qualified in LOADERS:
            dataset = argument(program.resolver, value.node, value.place, "dataset", 0)
            return None if dataset is not None and is_iterable_dataset(program, dataset) else True
        if value.qualified.startswith("itertools.") or last_name(value) in ("cycle", "repeat", "range", "islice"):
            return False
        if isinstance(value.callee, FunctionValue) and value.callee.function.is_generator:
            return False if _never_ends(program, value.callee.function) else None
        if last_name(value) in _TRANSPARENT and value.node.args:
            inner = program.resolver.resolve(Ref(value.node.args[0].value, value.place))
            verdicts = {_ends(program, v, depth + 1) for v in inner}
            return verdicts.pop() if len(verdicts) == 1 else None
    return None


def _never_ends(program: Program, function: Function) -> bool:
    """Whether a generator of the file runs ``while True``."""
    return any(
        loop.kind == "while" and loop.block.function is function and isinstance(loop.test, cst.Name)
        for loop in program.facts.loops
    )


def _is_measured(program: Program, node: cst.BaseExpression) -> bool:
    """Whether the file takes ``len()`` of what is inside ``enumerate(...)``."""
    while isinstance(node, cst.Call) and node.args:
        node = node.args[0].value
    return any(
        call.node.args and call.node.args[0].value.deep_equals(node) for call in program.resolver.sites_named("len")
    )


def _is_epoch_loop(outer: Repeat) -> bool:
    """A ``for`` loop around the batches that goes on to a next epoch."""
    return outer.loop.kind == "for"

"""Worker processes of data loaders: whether there are any, how they start, and which functions run in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.facts import Call, Function
from dnnlint.program.attributes import object_member
from dnnlint.program.contents import calls_of
from dnnlint.program.literals import numbers
from dnnlint.program.loader_arguments import is_absent
from dnnlint.program.loaders import choices
from dnnlint.program.values import Const, FunctionValue, Object, Place, Ref, Value

if TYPE_CHECKING:
    from dnnlint.program import Program

_MAX_DEPTH = 4
_HOOKS = ("__getitem__", "__getitems__", "__iter__")


def has_workers(program: Program, call: Call) -> bool:
    """Whether a loader certainly has worker processes (an option decides by its default)."""
    refs, known = choices(program, call, "num_workers")
    counts: list[float] = []
    for ref in refs:
        for value in program.resolver.resolve(ref) if ref is not None else ():
            found = numbers((value,))
            known = known and bool(found)
            counts.extend(found)
        known = known and ref is not None
    return known and bool(counts) and min(counts) >= 1


def are_forked(program: Program, call: Call) -> bool:
    """Whether nothing in the program chooses another start method than that of Linux, fork."""
    if not is_absent(program, call, "multiprocessing_context"):
        refs, _ = choices(program, call, "multiprocessing_context")
        return all(ref is not None and program.resolver.resolve(ref) == (Const("fork"),) for ref in refs)
    return all(_is_fork(program, call) for call in program.resolver.sites_named("set_start_method"))


def _is_fork(program: Program, call: Call) -> bool:
    """``set_start_method("fork")`` names the default."""
    given = program.argument(call, "method", 0)
    return given is not None and program.resolver.resolve(given) == (Const("fork"),)


def datasets(program: Program, call: Call) -> list[Object]:
    """The datasets of the file that a loader may read."""
    refs, _ = choices(program, call, "dataset")
    values = [value for ref in refs if ref is not None for value in program.resolver.resolve(ref)]
    return [value for value in values if isinstance(value, Object)]


def worker_functions(program: Program, call: Call) -> list[tuple[Function, Place]]:
    """The functions of the file that the workers of a loader run, each with the place of its body."""
    starts: list[Value] = []
    for dataset in datasets(program, call):
        starts.extend(value for name in _HOOKS for value in object_member(program.resolver, dataset, name))
    refs, _ = choices(program, call, "collate_fn")
    for ref in refs:
        for value in program.resolver.resolve(ref) if ref is not None else ():
            starts.extend(_called(program, value))
    found: dict[int, tuple[Function, Place]] = {}
    for value in starts:
        _follow(program, value, found, 0)
    return list(found.values())


def _called(program: Program, value: Value) -> list[Value]:
    return list(object_member(program.resolver, value, "__call__")) if isinstance(value, Object) else [value]


def _follow(program: Program, value: Value, found: dict[int, tuple[Function, Place]], depth: int) -> None:
    if not isinstance(value, FunctionValue) or id(value.function) in found or depth > _MAX_DEPTH:
        return
    function = value.function
    frame = program.resolver.root_frame(function, value.receiver)
    found[id(function)] = (function, Place(frame, function.body, function.order))
    for call in calls_of(function):
        callee = Ref(call.node.func, Place(frame, call.block, call.order))
        for target in program.resolver.resolve(callee):
            for inner in _called(program, target):
                _follow(program, inner, found, depth + 1)

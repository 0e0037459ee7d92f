"""DNN515: hooks that pile up, since every iteration registers one more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Assign, BlockKind, Call, Jump, Loop, mentions
from dnnlint.finding import Severity
from dnnlint.program.contents import items_in, statements_of
from dnnlint.program.hooks import batch_method
from dnnlint.program.rounds import batch_loops, calls_in_every_round, outlives_round
from dnnlint.program.tree import Repeat
from dnnlint.program.values import Member, Object, Place, Ref, Result
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_HOOKS = (
    "register_forward_hook",
    "register_forward_pre_hook",
    "register_full_backward_hook",
    "register_full_backward_pre_hook",
    "register_backward_hook",
    "register_post_accumulate_grad_hook",
    "register_hook",
)


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report hooks on lasting modules and tensors that a loop over batches registers in each round."""
    calls = [call for name in _HOOKS for call in program.resolver.sites_named(name)]
    if not calls or not program.imports("torch"):
        return
    removed = _removed(program)
    if removed is None:
        return
    calls = [call for call in calls if id(call.node) not in removed]
    for loop in batch_loops(program):
        for call, place in calls_in_every_round(program, calls, loop):
            if _is_lasting(program, call, place, loop) and _is_dropped(program, call):
                yield _report(program, call)
    for call in calls:
        if _is_of_batch_method(program, call) and _is_dropped(program, call):
            yield _report(program, call)


def _is_of_batch_method(program: Program, call: Call) -> bool:
    """Whether a method that Lightning calls for every batch registers the hook on something that it has not made."""
    method, func = batch_method(program, call), call.node.func
    if method is None or not isinstance(func, cst.Attribute):
        return False
    values = program.resolve(func.value, call)
    made = [value for value in values if isinstance(value, Result) and value.place.block.within(method.body)]
    return bool(values) and not made and all(isinstance(value, (Member, Object, Result)) for value in values)


def _report(program: Program, call: Call) -> Report:
    return Report(
        call.node,
        f"{quoted(program, call.node)} runs in every iteration and nothing removes the hooks: "
        "after n iterations n of them run, and what they hold stays in memory.",
        "Register the hook once before the loop, or call `remove()` on its handle in the iteration.",
    )


def _removed(program: Program) -> set[int] | None:
    """The registrations whose handle a ``remove()`` is called on; None where one may belong to any of them.

    A list's ``remove`` takes an argument, and the ``remove()`` of a project class removes what its own body shows.
    """
    found: set[int] = set()
    for call in program.resolver.sites_named("remove"):
        func = call.node.func
        if call.node.args or not isinstance(func, cst.Attribute):
            continue
        values = program.resolve(func.value, call)
        for value in values:
            if isinstance(value, Result) and value.method in _HOOKS:
                found.add(id(value.node))
            elif not isinstance(value, Object) and not (isinstance(value, Result) and value.qualified):
                return None
        if not values:
            return None
    return found


def _is_lasting(program: Program, call: Call, place: Place, loop: Repeat) -> bool:
    func = call.node.func
    if not isinstance(func, cst.Attribute):
        return False
    values = program.resolver.resolve(Ref(func.value, place))
    return bool(values) and all(outlives_round(value, loop) for value in values)


def _is_dropped(program: Program, call: Call) -> bool:
    """Whether the handle is thrown away, or kept in a name that nothing else reads."""
    for statement in statements_of(call.block):
        if isinstance(statement, cst.Expr) and statement.value is call.node:
            return True
        if isinstance(statement, cst.Assign) and statement.value is call.node and len(statement.targets) == 1:
            target = statement.targets[0].target
            return isinstance(target, cst.Name) and not _is_passed_on(target.value, call)
    return False


def _is_passed_on(name: str, call: Call) -> bool:
    """Whether the function around a registration reads the name of the handle."""
    outer = call.block
    while outer.kind not in (BlockKind.FUNCTION, BlockKind.MODULE) and outer.parent is not None:
        outer = outer.parent
    for item in items_in(outer):
        if isinstance(item, Call) and item is not call:
            func = item.node.func
            if isinstance(func, cst.Attribute) and mentions(func.value, name):
                return True
            if any(mentions(argument.value, name) for argument in item.node.args):
                return True
        elif isinstance(item, (Assign, Jump, Loop)):
            read = item.iterable if isinstance(item, Loop) else item.value
            if read is not None and mentions(read, name):
                return True
    return False


RULE = Rule(
    code="DNN515",
    name="hook-registered-in-loop",
    severity=Severity.WARNING,
    clause="S5.1.1",
    check=check,
)

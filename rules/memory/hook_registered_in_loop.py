"""DNN515: hooks that pile up, since every iteration registers one more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call, mentions
from dnnlint.finding import Severity
from dnnlint.program.rounds import batch_loops, calls_in_every_round, outlives_round
from dnnlint.program.tree import Repeat
from dnnlint.program.values import Place, Ref
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
    if not calls or not program.imports("torch") or _removes(program):
        return
    for loop in batch_loops(program):
        for call, place in calls_in_every_round(program, calls, loop):
            if _is_lasting(program, call, place, loop) and _is_dropped(program, call):
                yield Report(
                    call.node,
                    f"{quoted(program, call.node)} runs in every iteration and nothing removes the hooks: "
                    "after n iterations n of them run, and what they hold stays in memory.",
                    "Register the hook once before the loop, or call `remove()` on its handle in the iteration.",
                )


def _removes(program: Program) -> bool:
    """Whether the file calls ``handle.remove()`` on anything; a list's ``remove`` takes an argument."""
    return any(not call.node.args for call in program.resolver.sites_named("remove"))


def _is_lasting(program: Program, call: Call, place: Place, loop: Repeat) -> bool:
    func = call.node.func
    if not isinstance(func, cst.Attribute):
        return False
    values = program.resolver.resolve(Ref(func.value, place))
    return bool(values) and all(outlives_round(value, loop) for value in values)


def _is_dropped(program: Program, call: Call) -> bool:
    """Whether the handle is thrown away, or kept in a name that nothing else reads."""
    finder = _Statement(call.node)
    program.module.visit(finder)
    if finder.target is None:
        return finder.found
    name = finder.target
    return not any(
        mentions(argument.value, name)
        for other in program.facts.calls
        if other.block.function is call.block.function
        for argument in other.node.args
    )


class _Statement(cst.CSTVisitor):
    """Finds the statement that consists of a call, or of an assignment of it to a name."""

    def __init__(self, node: cst.Call) -> None:
        super().__init__()
        self._node = node
        self.found = False
        self.target: str | None = None

    def visit_Expr(self, node: cst.Expr) -> None:
        self.found = self.found or node.value is self._node

    def visit_Assign(self, node: cst.Assign) -> None:
        if node.value is self._node and len(node.targets) == 1:
            target = node.targets[0].target
            if isinstance(target, cst.Name):
                self.target = target.value


RULE = Rule(
    code="DNN515",
    name="hook-registered-in-loop",
    severity=Severity.WARNING,
    clause="S5.1.1",
    check=check,
)

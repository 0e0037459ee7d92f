"""DNN514: activation checkpointing that leaves the choice of its implementation to the installed PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.facts import Call
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.values import Const, Table
from dnnlint.program.wording import quoted
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_CHECKPOINTS = ("torch.utils.checkpoint.checkpoint", "torch.utils.checkpoint.checkpoint_sequential")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report checkpoint calls without ``use_reentrant``."""
    calls = program.calls_to(*_CHECKPOINTS)
    # A second call with the argument in the same function serves another version of PyTorch.
    chosen = {id(call.block.function) for call in calls if _is_chosen(program, call)}
    for call in calls:
        if id(call.block.function) in chosen or _may_be_chosen(program, call):
            continue
        yield Report(
            call.node,
            f"{quoted(program, call.node)} does not say which implementation it wants: `use_reentrant` is left out.",
            "Pass `use_reentrant=False`, the implementation without the limits of the other one.",
            edits=_edits(call),
            fix_description="Pass `use_reentrant=False`.",
        )


def _is_chosen(program: Program, call: Call) -> bool:
    given = program.argument(call, "use_reentrant")
    return given is not None and program.resolver.resolve(given) != (Const(None),)


def _may_be_chosen(program: Program, call: Call) -> bool:
    """Whether a ``**mapping`` may hold the argument."""
    for entry in call.node.args:
        if entry.star == "**":
            values = program.resolve(entry.value, call)
            if not all(isinstance(v, Table) and v.complete and v.get("use_reentrant") is None for v in values):
                return True
    return False


def _edits(call: Call) -> tuple[NodeEdit, ...]:
    arguments = call.node.args
    named = any(entry.keyword is not None and entry.keyword.value == "use_reentrant" for entry in arguments)
    if not arguments or named or arguments[-1].star == "**":
        return ()
    return (NodeEdit("after", arguments[-1], ", use_reentrant=False"),)


RULE = Rule(
    code="DNN514",
    name="checkpoint-without-use-reentrant",
    severity=Severity.WARNING,
    clause="S5.1.1",
    check=check,
    fix=FixSafety.UNSAFE,
)

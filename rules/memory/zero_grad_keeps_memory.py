"""DNN506: gradients are filled with zeros instead of being released."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.values import Const, FunctionValue, Object
from dnnlint.program.wording import quoted
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

# A captured graph writes to the gradients that it was captured with.
_CAPTURES = ("torch.cuda.graph", "torch.cuda.CUDAGraph", "torch.cuda.make_graphed_callables")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report zero_grad() calls that are told to keep the gradients."""
    calls = program.resolver.sites_named("zero_grad")
    if not calls or not program.imports("torch") or program.calls_to(*_CAPTURES):
        return
    for call in calls:
        if isinstance(call.node.func, cst.Attribute) and _keeps(program, call) and not _is_own(program, call):
            yield Report(
                call.node,
                f"{quoted(program, call.node)} keeps every gradient in memory until the next backward.",
                "Leave out `set_to_none=False`: the gradients are released, and the next backward writes new ones.",
                edits=_edits(program, call),
                fix_description="Release the gradients.",
            )


def _keeps(program: Program, call: Call) -> bool:
    given = program.argument(call, "set_to_none", 0)
    return given is not None and program.resolver.resolve(given) == (Const(False),)


def _is_own(program: Program, call: Call) -> bool:
    """Whether the method is one of the file, with a meaning of its own."""
    return any(isinstance(value, (FunctionValue, Object)) for value in program.resolve(call.node.func, call))


def _edits(program: Program, call: Call) -> tuple[NodeEdit, ...]:
    """None where the file reads gradients, which are None after the change."""
    if program.facts.attribute_loads.get("grad"):
        return ()
    given = [entry.value for entry in call.node.args if isinstance(entry.value, cst.Name)]
    literals = [node for node in given if node.value == "False"]
    return (NodeEdit("replace", literals[0], "True"),) if len(literals) == len(call.node.args) == 1 else ()


RULE = Rule(
    code="DNN506",
    name="zero-grad-keeps-memory",
    severity=Severity.ADVICE,
    clause="S5.1.1",
    check=check,
    fix=FixSafety.SAFE,
)

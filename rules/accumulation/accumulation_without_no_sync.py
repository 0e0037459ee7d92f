"""DNN207: gradients all-reduced on every micro-batch of an accumulation window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import Severity
from dnnlint.program.libraries import DISTRIBUTED_DATA_PARALLEL
from dnnlint.program.micro_batches import accumulations
from dnnlint.program.tree import Kind
from dnnlint.program.values import Result, Value
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_HELP = "Run forward and backward of the other micro-batches under `model.no_sync()`."
_HOLDS_BACK = ("no_sync", "no_backward_sync", "set_requires_gradient_sync")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the backward pass of a DistributedDataParallel model that is synchronised for every micro-batch."""
    if not program.calls_to(*DISTRIBUTED_DATA_PARALLEL) or _handles_synchronisation(program):
        return
    for micro in accumulations(program):
        wrapped = any(_is_ddp(v) for event in micro.loop.of(Kind.FORWARD) for v in event.targets)
        for backward in micro.backwards[:1]:
            if wrapped and backward.how in ("plain", "scaler", "function"):
                call, number = quoted(program, backward.call.node), quoted(program, micro.factor.ref.node)
                message = f"{call} all-reduces the gradients of every micro-batch, {number} times for one step."
                yield Report(backward.call.node, message, _HELP)


def _handles_synchronisation(program: Program) -> bool:
    """Whether the file holds synchronisation back somewhere: as a call, an attribute, or inside a partial."""
    targets = [assign.target for assign in program.facts.assigns]
    if any(isinstance(t, cst.Attribute) and t.attr.value == "require_backward_grad_sync" for t in targets):
        return True
    return any(program.resolver.sites_named(name) or program.loads_attribute(name) for name in _HOLDS_BACK)


def _is_ddp(value: Value) -> bool:
    return isinstance(value, Result) and value.qualified in DISTRIBUTED_DATA_PARALLEL


RULE = Rule(
    code="DNN207",
    name="accumulation-without-no-sync",
    severity=Severity.ADVICE,
    clause="S3.2.1a",
    check=check,
)

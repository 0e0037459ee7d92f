"""DNN202: the sum over micro-batches divided by their number twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.calling import argument
from dnnlint.program.micro_batches import MicroBatches, accumulations
from dnnlint.program.powers import divides
from dnnlint.program.roles import last_name
from dnnlint.program.training import Accumulation
from dnnlint.program.values import Result
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop
    from dnnlint.program.tree import Event

_HELP = "Divide once by the number of micro-batches; dividing the loss is right for every optimizer."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report backward passes whose loss is divided twice, or once with the gradients or the learning rate as well."""
    for micro in accumulations(program, strict=True):
        for backward in micro.backwards:
            again = _second_division(micro, backward)
            if again:
                call, number = quoted(program, backward.call.node), quoted(program, micro.factor.ref.node)
                yield Report(backward.call.node, f"The loss of {call} is divided by {number}, and {again}.", _HELP)
    for loop in program.training_loops:
        if loop.accumulation is not None and loop.accumulation.kind == "framework":
            yield from _under_accelerate(program, loop)


def _second_division(micro: MicroBatches, backward: Event) -> str:
    powers = micro.loss(backward)
    if not divides(powers):
        return ""
    if all(power is not None and power <= -2 for power in powers):
        return "then once more: the step is too short by that factor"
    if any(divides(scaled.powers) for scaled in micro.gradients):
        return "the gradients are divided by it once more"
    if any(divides(scaled.powers) for scaled in micro.rates):
        return "the learning rate as well: the step is too short by that factor"
    return ""


def _under_accelerate(program: Program, loop: TrainingLoop) -> Iterator[Report]:
    for backward in loop.backwards:
        for value in backward.targets if backward.how == "accelerator" and backward.loss else ():
            if not isinstance(value, Result) or last_name(value) != "Accelerator":
                continue
            factor = argument(program.resolver, value.node, value.place, "gradient_accumulation_steps")
            if factor is None:
                continue
            micro = MicroBatches(program, loop, Accumulation("framework", factor), strict=True)
            if backward.loss is not None and divides(micro.scaling.loss(backward.loss)):
                call, number = quoted(program, backward.call.node), quoted(program, factor.node)
                message = f"The loss is divided by {number}, and {call} divides it once more."
                yield Report(backward.call.node, message, "Give the undivided loss to `accelerator.backward()`.")


RULE = Rule(
    code="DNN202",
    name="accumulation-scaled-twice",
    severity=Severity.ERROR,
    clause="S3.2.1b",
    check=check,
)

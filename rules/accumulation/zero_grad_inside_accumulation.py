"""DNN204: gradients cleared on every micro-batch, so that only the last one counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.micro_batches import accumulations
from dnnlint.program.roles import site
from dnnlint.program.tree import Event, Kind
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.micro_batches import MicroBatches
    from dnnlint.program.training import TrainingLoop

_HELP = "Clear the gradients after `optimizer.step()`, where the window ends."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report what clears between the micro-batches of one step."""
    for micro in accumulations(program):
        number = quoted(program, micro.factor.ref.node)
        for event in micro.clears:
            if _clears_what_is_stepped(program, micro, event):
                call = quoted(program, event.call.node)
                message = f"{call} clears the gradients on every micro-batch: the step sees the last one, not {number}."
                yield Report(event.call.node, message, _HELP)
    for loop in program.training_loops:
        if loop.accumulation is not None and loop.accumulation.kind == "framework":
            yield from _under_accelerate(program, loop)


def _clears_what_is_stepped(program: Program, micro: MicroBatches, event: Event) -> bool:
    """Whether the cleared object is the optimizer of the window's step, or no optimizer at all but a model."""
    cleared = {site(value) for value in event.targets}
    optimizers = {site(value) for step in micro.loop.steps for value in step.targets}
    is_other = program.roles.any_of(event.targets, "optimizer") and not cleared & optimizers
    return event.how == "manual" or not is_other


def _under_accelerate(program: Program, loop: TrainingLoop) -> Iterator[Report]:
    """A prepared optimizer clears at the end of a window, a model always; in front of ``backward`` is too early."""
    if any(backward.how != "accelerator" for backward in loop.backwards):
        return
    for event in loop.of(Kind.ZERO_GRAD):
        if event.how == "manual":
            continue
        call = quoted(program, event.call.node)
        is_optimizer = program.roles.any_of(event.targets, "optimizer")
        if not is_optimizer and program.roles.any_of(event.targets, "model"):
            message = f"{call} is not held back by `accumulate()`: it clears the gradients of every micro-batch."
        elif is_optimizer and _precedes_backward(loop, event):
            message = f"{call} in front of `backward()` clears what the earlier micro-batches have added."
        else:
            continue
        yield Report(event.call.node, message, "Call `zero_grad()` of the prepared optimizer after its `step()`.")


def _precedes_backward(loop: TrainingLoop, event: Event) -> bool:
    for path in loop.paths:
        backward = path.of(Kind.BACKWARD)
        if event in path.events and backward and path.index(event) < path.index(backward[0]):
            stepped = path.of(Kind.STEP)
            return not stepped or path.index(stepped[0]) > path.index(backward[0])
    return False


RULE = Rule(
    code="DNN204",
    name="zero-grad-inside-accumulation",
    severity=Severity.ERROR,
    clause="S3.2.1a",
    check=check,
)

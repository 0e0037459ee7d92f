"""DNN204: gradients cleared on every micro-batch, so that only the last one counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.micro_batches import accumulations
from dnnlint.program.roles import site
from dnnlint.program.tree import Event, Kind
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.micro_batches import MicroBatches
    from dnnlint.program.training import TrainingLoop


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report what clears between the micro-batches of one step."""
    reported: set[int] = set()
    for micro in accumulations(program):
        number = program.module.code_for_node(micro.factor.ref.node)
        for event in micro.clears:
            if _clears_what_is_stepped(program, micro, event) and id(event.call.node) not in reported:
                reported.add(id(event.call.node))
                yield Report(
                    event.call.node,
                    f"the gradients are cleared on every micro-batch: the step sees the last one only, not {number}.",
                    "Clear the gradients after optimizer.step(), where the window ends.",
                )
    for loop in program.training_loops:
        if loop.accumulation is not None and loop.accumulation.kind == "framework":
            yield from _under_accelerate(program, loop, reported)


def _clears_what_is_stepped(program: Program, micro: MicroBatches, event: Event) -> bool:
    """Whether the cleared object is the optimizer of the window's step, or no optimizer at all but a model."""
    cleared = {site(value) for value in event.targets}
    optimizers = {site(value) for step in micro.loop.steps for value in step.targets}
    is_other = program.roles.any_of(event.targets, "optimizer") and not cleared & optimizers
    return event.how == "manual" or not is_other


def _under_accelerate(program: Program, loop: TrainingLoop, reported: set[int]) -> Iterator[Report]:
    """A prepared optimizer clears at the end of a window, a model always; in front of ``backward`` is too early."""
    if any(backward.how != "accelerator" for backward in loop.backwards):
        return
    for event in loop.of(Kind.ZERO_GRAD):
        if id(event.call.node) in reported or event.how == "manual":
            continue
        is_optimizer = program.roles.any_of(event.targets, "optimizer")
        if not is_optimizer and program.roles.any_of(event.targets, "model"):
            text = "model.zero_grad() is not held back by accumulate(): it clears the gradients of every micro-batch."
        elif is_optimizer and _precedes_backward(loop, event):
            text = "zero_grad() in front of backward() clears what the micro-batches before the last one have added."
        else:
            continue
        reported.add(id(event.call.node))
        yield Report(event.call.node, text, "Call optimizer.zero_grad() of the prepared optimizer after its step().")


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

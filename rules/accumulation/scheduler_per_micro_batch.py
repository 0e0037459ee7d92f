"""DNN208: a learning-rate schedule that advances more often, or earlier, than the optimizer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import Severity
from dnnlint.program.micro_batches import MicroBatches, accumulations
from dnnlint.program.powers import may_divide
from dnnlint.program.schedules import counts_its_calls, drives
from dnnlint.program.tree import Event, Fork, Kind, Node, Repeat, ancestors, events, guards_around, inside
from dnnlint.program.values import Ref, Result
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

_HELP = "Step the scheduler right after `optimizer.step()`, inside the same condition."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report schedulers stepped on every micro-batch, then those stepped in front of the optimizer."""
    for micro in accumulations(program):
        for event in micro.on_every_micro_batch(Kind.SCHEDULE):
            if _counts_steps(program, micro, event):
                call, number = quoted(program, event.call.node), quoted(program, micro.factor.ref.node)
                message = f"{call} runs on every micro-batch, and the optimizer steps once for {number} of them."
                yield Report(event.call.node, message, _HELP)
    for loop in program.training_loops:
        for event in _early(program, loop):
            call = quoted(program, event.call.node)
            message = f"{call} runs before the optimizer steps, which skips the first value of the schedule."
            yield Report(event.call.node, message, "Step the scheduler after the optimizer.")


def _counts_steps(program: Program, micro: MicroBatches, event: Event) -> bool:
    """Whether the length of the schedule may be meant in optimizer steps: nothing counts its loader's batches."""
    made = [value for value in event.targets if isinstance(value, Result)]
    return bool(made) and not any(_counts_batches(program, micro, value) for value in made)


def _counts_batches(program: Program, micro: MicroBatches, scheduler: Result) -> bool:
    for entry in scheduler.node.args[1:]:
        ref = Ref(entry.value, scheduler.place)
        powers = micro.rate_scaling.loss(ref)
        if any(power is not None and power > 0 for power in powers):
            return True
        if not may_divide(powers) and _measures_length(program, ref, 0):
            return True
    return False


def _measures_length(program: Program, ref: Ref, depth: int) -> bool:
    """Whether an expression has ``len(...)`` in it, also through names."""
    node = ref.node
    if depth > 8:
        return False
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "len":
        return True
    if isinstance(node, (cst.Name, cst.Attribute)):
        bound = program.conditions.bindings(ref)
        inner = [Ref(b.value, place) for b, place in bound if isinstance(b.value, cst.BaseExpression)]
    else:
        inner = [Ref(child, ref.place) for child in node.children if isinstance(child, cst.BaseExpression)]
        if isinstance(node, cst.Call):
            inner += [Ref(argument.value, ref.place) for argument in node.args]
    return any(_measures_length(program, part, depth + 1) for part in inner)


def _early(program: Program, loop: TrainingLoop) -> Iterator[Event]:
    if any(backward.how in ("engine", "accelerator") for backward in loop.backwards):
        return
    for event in loop.of(Kind.SCHEDULE):
        if counts_its_calls(event) and _precedes_step(program, loop, event):
            yield event
    for outer in loop.outer[:1]:
        yield from _before_the_loop(loop, outer)


def _precedes_step(program: Program, loop: TrainingLoop, event: Event) -> bool:
    """Whether the same iteration steps the optimizer afterwards, under the same conditions and not before."""
    verdicts = set()
    for path in loop.paths:
        steps = [step for step in path.of(Kind.STEP) if drives(program.resolver, event, step)]
        if event in path.events and steps:
            verdicts.add(path.index(event) < path.index(steps[0]))
    guards = [(id(fork), side) for fork, side in guards_around(event, loop.window)]
    steps = [step for step in loop.steps if drives(program.resolver, event, step)]
    shared = all(guards == [(id(f), s) for f, s in guards_around(step, loop.window)] for step in steps)
    return verdicts == {True} and shared


def _before_the_loop(loop: TrainingLoop, outer: Repeat) -> Iterator[Event]:
    """A scheduler stepped at the start of an epoch, in front of the loop over its batches."""
    if loop.window is None:
        return
    root: Node = outer
    for node in ancestors(outer):
        root = node
    order = events(root)
    first_step = next((order.index(step) for step in order if step.kind == Kind.STEP), len(order))
    for event in events(outer.body, Kind.SCHEDULE):
        nearest = next((node for node in ancestors(event) if isinstance(node, Repeat)), None)
        guarded = any(isinstance(fork, Fork) for fork, _ in guards_around(event, outer))
        early = order.index(event) < first_step and not inside(event, loop.window)
        if nearest is outer and not guarded and early and counts_its_calls(event):
            yield event


RULE = Rule(
    code="DNN208",
    name="scheduler-per-micro-batch",
    severity=Severity.ERROR,
    clause="S3.2.1a",
    check=check,
)

"""DNN212: a learning-rate schedule that advances although the gradient scaler may have skipped the step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import Severity
from dnnlint.program.ingredients import ingredients
from dnnlint.program.scalers import is_on
from dnnlint.program.schedules import counts_its_calls, drives
from dnnlint.program.tree import Event, Kind, inside
from dnnlint.program.windows import window_of
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.paths import Path
    from dnnlint.program.training import TrainingLoop
    from dnnlint.program.tree import Fork

_HELP = "Step the scheduler only where `scaler.get_scale()` after `update()` is not below what it was before."
# What tells that a step was skipped: the scale, its tensor, or the flags of the scaler and of wrapped optimizers.
_TELLING = ("get_scale", "_scale", "_found_inf_per_device", "_check_inf_per_device", "found_inf", "step_was_skipped")
_COUNTERS = ("_step_count", "_opt_called")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report schedulers that follow the step of a gradient scaler unconditionally."""
    if not program.resolver.sites_named("step"):
        return
    for loop in program.training_loops:
        for event, step in _unconditional(program, loop):
            call, skipped = quoted(program, event.call.node), quoted(program, step.call.node)
            message = f"{call} advances the schedule even where {skipped} skips the optimizer step."
            yield Report(event.call.node, message, _HELP)


def _unconditional(program: Program, loop: TrainingLoop) -> Iterator[tuple[Event, Event]]:
    schedules = [event for event in loop.of(Kind.SCHEDULE) if counts_its_calls(event)]
    if not schedules or not any(step.how == "scaler" for step in loop.steps):
        return
    for path in loop.paths:
        for event in schedules:
            step = _step_before(program, path, event)
            if step is not None and not _is_tied(program, path, event, step):
                yield event, step


def _step_before(program: Program, path: Path, event: Event) -> Event | None:
    """The scaled step of the scheduler's optimizer that a path runs in front of the scheduler."""
    for step in path.of(Kind.STEP):
        if step.how != "scaler" or not 0 <= path.index(step) < path.index(event):
            continue
        if drives(program.resolver, event, step) and is_on(program.conditions, step.scaler, path) is not False:
            return step
    return None


def _is_tied(program: Program, path: Path, event: Event, step: Event) -> bool:
    """Whether a branch asks for the scale, or lets the scheduler run on some steps only."""
    shared = {id(fork) for fork, _ in path.taken if inside(step, fork)}
    for fork, _ in path.taken:
        if fork.test is None:
            continue
        if _asks_for_scale(program, fork):
            return True
        rarer = id(fork) not in shared and inside(event, fork)
        if rarer and window_of(program.conditions, fork.test) is not None:
            return True
    return False


def _asks_for_scale(program: Program, fork: Fork) -> bool:
    assert fork.test is not None
    for ref in ingredients(program, fork.test):
        if isinstance(ref.node, cst.Attribute) and ref.node.attr.value in (*_TELLING, *_COUNTERS):
            return True
    return False


RULE = Rule("DNN212", "scheduler-after-skipped-step", Severity.ADVICE, "S3.2.1a", check)

"""DNN503: gradients are never cleared in a loop that steps, or cleared before the step has used them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.evaluations import leaves_models_alone, models_trained_by
from dnnlint.program.roles import is_made_optimizer, site, unwrap
from dnnlint.program.training import optimizers_of
from dnnlint.program.tree import Event, Kind, events, loops_around
from dnnlint.program.values import Object, Result, Values
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

# Optimizers that step inside backward clear the gradient there, too.
_IN_BACKWARD = ("register_post_accumulate_grad_hook", "register_hook", "_apply_optimizer_in_backward")
_HELP = "Call `optimizer.zero_grad()` before each backward or after each step."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the backward pass that adds to old gradients, and the zero_grad() that throws away new ones."""
    if not program.resolver.sites_named("step") or any(program.resolver.sites_named(n) for n in _IN_BACKWARD):
        return
    for loop in program.training_loops:
        yield from _never_cleared(program, loop)
        yield from _cleared_too_early(program, loop)


def _never_cleared(program: Program, loop: TrainingLoop) -> Iterator[Report]:
    if loop.window is None or _may_clear_elsewhere(loop) or any(b.how == "engine" for b in loop.backwards):
        return
    for optimizer in optimizers_of(loop):
        if _is_made_in(loop, optimizer) or any(_clears(event, optimizer) for event in loop.of(Kind.ZERO_GRAD)):
            continue
        backward = loop.backwards[-1]
        step = next(event for event in loop.steps if event.targets == optimizer)
        message = (
            f"{quoted(program, backward.call.node, 40)} adds to the gradients of all earlier iterations: nothing in "
            f"the loop clears them for {quoted(program, step.call.node, 40)}"
        )
        if _cleared_outside(program, loop, optimizer):
            message += ", and `zero_grad()` runs only outside of it"
        yield Report(backward.call.node, f"{message}.", _HELP)
        return


def _may_clear_elsewhere(loop: TrainingLoop) -> bool:
    for event in loop.of(Kind.OPAQUE, Kind.CLIP):
        if event.kind == Kind.OPAQUE and not leaves_models_alone(event):
            return True
        # ``p.grad = g`` puts the gradient in place of the old one.
        if event.kind == Kind.CLIP and event.how == "manual" and not getattr(event.call, "operator", "="):
            return True
    return False


def _clears(event: Event, optimizer: Values) -> bool:
    """Whether a clearing may concern an optimizer: it is the same one, or not certainly another."""
    if not event.targets or event.how == "manual":
        return True
    ours, theirs = {site(v) for v in optimizer}, {site(v) for v in event.targets}
    if ours & theirs:
        return True
    return not all(is_made_optimizer(value) for value in (*optimizer, *event.targets))


def _is_made_in(loop: TrainingLoop, optimizer: Values) -> bool:
    """Whether the optimizer is constructed anew in each iteration."""
    window = loop.window
    return window is not None and any(
        isinstance(value, (Result, Object)) and value.place.block.within(window.loop.body) for value in optimizer
    )


def _cleared_outside(program: Program, loop: TrainingLoop, optimizer: Values) -> bool:
    return any(_clears(event, optimizer) and not loop.decided_by(event) for event in program.events(Kind.ZERO_GRAD))


def _cleared_too_early(program: Program, loop: TrainingLoop) -> Iterator[Report]:
    for path in loop.paths:
        between: list[Event] = []
        for event in path.events:
            if event.kind in (Kind.BACKWARD, Kind.OPAQUE, Kind.CLIP):
                between = []
            elif event.kind == Kind.ZERO_GRAD and event.how != "manual" and _follows_backward(path.events, event):
                between.append(event)
            elif event.kind == Kind.STEP:
                yield from (_early(program, c, event) for c in between if _is_same(program, c, event))
                between = []


def _follows_backward(before: tuple[Event, ...], event: Event) -> bool:
    """Whether the last thing that made or used gradients before an event was a backward."""
    for other in reversed(before[: before.index(event)]):
        if other.kind in (Kind.BACKWARD, Kind.STEP):
            return other.kind == Kind.BACKWARD
    return False


def _is_same(program: Program, cleared: Event, step: Event) -> bool:
    """Whether a clearing concerns exactly the gradients that a step uses."""
    inner = loops_around(cleared)[:1]
    if inner != loops_around(step)[:1] and any(events(loop, Kind.BACKWARD) for loop in inner):
        return False
    ours = {site(value) for value in step.targets}
    if ours and ours == {site(value) for value in cleared.targets}:
        return True
    models = {site(inner) for value in cleared.targets for inner in unwrap(program.resolver, value)}
    return bool(models) and models == models_trained_by(program, step.targets)


def _early(program: Program, cleared: Event, step: Event) -> Report:
    return Report(
        cleared.call.node,
        f"{quoted(program, cleared.call.node)} clears the gradients after the backward and before "
        f"{quoted(program, step.call.node)}, which steps without any.",
        "Clear the gradients before the backward or after the step.",
    )


RULE = Rule(
    code="DNN503",
    name="missing-zero-grad",
    severity=Severity.ERROR,
    clause="S5.1.1",
    check=check,
)

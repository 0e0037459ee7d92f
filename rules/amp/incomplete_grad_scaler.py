"""DNN102: a gradient scaler whose scale, step or update is missing on some path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from dnnlint.finding import Severity
from dnnlint.program.roles import site
from dnnlint.program.scalers import is_on, something_unknown_has_it
from dnnlint.program.tree import Event, Kind, ancestors, events, inside
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.paths import Path
    from dnnlint.program.training import TrainingLoop
    from dnnlint.program.tree import Activation, Sequence

_HELP = "Call `scaler.scale(loss).backward()`, `scaler.step(optimizer)` and one `scaler.update()` in each iteration."


class _Fault(NamedTuple):
    event: Event
    text: str


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the call at which the sequence breaks, each once."""
    if not program.resolver.sites_named("scale") and not program.resolver.sites_named("GradScaler"):
        return
    for fault in _faults(program):
        node = fault.event.call.node
        yield Report(node, f"{quoted(program, node, 50)} {fault.text}.", _HELP)


def _faults(program: Program) -> Iterator[_Fault]:
    for loop in program.training_loops:
        for path in loop.paths:
            if not something_unknown_has_it(program.roles, path.events):
                yield from _on_path(loop, path)
    for root in program.roots:
        yield from _never_stepped(program, root)
        yield from _stepped_outside(program, root)


def _on_path(loop: TrainingLoop, path: Path) -> Iterator[_Fault]:
    yield from _step_faults(loop, path)
    if path.left in ("break", "return"):
        return
    scaled = [step for step in path.of(Kind.STEP) if step.how == "scaler" and _may_be_on(loop, step, path)]
    updates = [update for update in path.of(Kind.UPDATE) if _may_be_on(loop, update, path)]
    if scaled and not path.of(Kind.UPDATE) and not _updated_outside(loop):
        yield _Fault(scaled[0], "is not followed by `update()` of the scaler on every path of the iteration")
    backward = any(event.how == "scaler" for event in path.of(Kind.BACKWARD))
    if backward and updates and not path.of(Kind.STEP, Kind.UNSCALE, Kind.OPAQUE):
        yield _Fault(updates[0], "runs in iterations that neither unscale nor step, where it raises")


def _may_be_on(loop: TrainingLoop, event: Event, path: Path) -> bool:
    return is_on(loop.conditions, event.scaler, path) is not False


def _updated_outside(loop: TrainingLoop) -> bool:
    """Whether a loop around this one updates the scaler: an inner loop of a GAN, for example."""
    return any(events(outer.body, Kind.UPDATE) for outer in loop.outer)


def _step_faults(loop: TrainingLoop, path: Path) -> Iterator[_Fault]:
    """Scaled gradients in a plain step, and plain gradients in a scaled one."""
    pending: list[Event] = []
    stepped_by_scaler = any(step.how == "scaler" for step in loop.steps)
    for event in path.events:
        if event.kind == Kind.BACKWARD:
            pending.append(event)
        elif event.kind == Kind.CLIP and event.how == "manual":
            pending = []
        elif event.kind == Kind.STEP and pending:
            kinds = {backward.how for backward in pending}
            if event.how == "scaler" and kinds == {"plain"} and _may_be_on(loop, event, path):
                yield _Fault(pending[-1], "runs on an unscaled loss, and the step belongs to a scaler")
            if event.how == "scaler" and kinds == {"plain", "scaler"} and _has_one_optimizer(loop):
                plain = next(backward for backward in pending if backward.how == "plain")
                yield _Fault(plain, "adds gradients of an unscaled loss to scaled ones")
            if event.how == "plain" and kinds == {"scaler"}:
                state = is_on(loop.conditions, pending[-1].scaler, path)
                if state or (state is None and not stepped_by_scaler):
                    yield _Fault(event, "applies scaled gradients: the step does not go through the scaler")
            pending = []


def _has_one_optimizer(loop: TrainingLoop) -> bool:
    return len({site(value) for step in loop.steps for value in step.targets}) == 1


def _never_stepped(program: Program, root: Sequence | Activation) -> Iterator[_Fault]:
    """Gradients are scaled and the scale is updated, and nothing steps."""
    found = events(root)
    kinds = {event.kind for event in found}
    if Kind.UPDATE not in kinds or Kind.STEP in kinds or Kind.OPAQUE in kinds:
        return
    for event in found:
        if event.kind == Kind.BACKWARD and event.how == "scaler" and any(ancestors(event)):
            yield _Fault(event, "makes scaled gradients that no step applies")


def _stepped_outside(program: Program, root: Sequence | Activation) -> Iterator[_Fault]:
    """The leftover window after a loop: the optimizer steps without the scaler that it has inside."""
    backwards = events(root, Kind.BACKWARD)
    steps = events(root, Kind.STEP)
    if not backwards or any(event.how != "scaler" or not _is_certain(program, event) for event in backwards):
        return
    scaled = {site(value) for step in steps if step.how == "scaler" for value in step.targets}
    bodies = [loop.body for loop in program.training_loops]
    outside = [step for step in steps if step.how == "plain" and not any(inside(step, body) for body in bodies)]
    for step in outside:
        if any(site(value) in scaled for value in step.targets):
            yield _Fault(step, "applies scaled gradients: the step does not go through the scaler")


def _is_certain(program: Program, backward: Event) -> bool:
    from dnnlint.program.paths import Path

    return bool(backward.scaler) and is_on(program.conditions, backward.scaler, Path()) is True


RULE = Rule("DNN102", "incomplete-grad-scaler", Severity.ERROR, "S3.2.2b", check)

"""DNN103: gradients that are clipped or read while they are still multiplied by the loss scale."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.clips import limit_of, optimizers_of
from dnnlint.program.roles import site
from dnnlint.program.scalers import is_on, something_unknown_has_it
from dnnlint.program.training import window_end
from dnnlint.program.tree import Event, Kind, inside
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.paths import Path
    from dnnlint.program.training import TrainingLoop

_CLIP_HELP = "Call `scaler.unscale_(optimizer)` once, between `backward()` and this line."
_WINDOW_HELP = "Move `unscale_()` and the clip into the branch that steps: once per optimizer step."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report clips and reads of scaled gradients, and ``unscale_`` inside an accumulation window."""
    if not program.resolver.sites_named("scale"):
        return
    for loop in program.training_loops:
        for event, text, hint in (*_too_early(program, loop), *_too_often(program, loop)):
            yield Report(event.call.node, f"{quoted(program, event.call.node)} {text}.", hint)


def _too_early(program: Program, loop: TrainingLoop) -> Iterator[tuple[Event, str, str]]:
    if program.resolver.sites_named("get_scale") and _divides_by_scale(program, loop):
        return
    for path in loop.paths:
        if something_unknown_has_it(program.roles, path.events):
            continue
        for event in _on_scaled_gradients(program, loop, path):
            verb = "clips" if event.kind == Kind.CLIP else "reads"
            yield event, f"{verb} gradients that are still multiplied by the loss scale", _CLIP_HELP


def _on_scaled_gradients(program: Program, loop: TrainingLoop, path: Path) -> Iterator[Event]:
    """The clips and reads of a path between a scaled backward and ``unscale_`` or the step."""
    scaled = False
    unscaled: set[Hashable] = set()
    for event in path.events:
        if event.kind == Kind.BACKWARD:
            scaled = _is_scaled(loop, event, path)
            unscaled.clear()
        elif event.kind in (Kind.UNSCALE, Kind.STEP):
            unscaled.update(site(value) for value in event.targets)
            scaled = scaled and bool(event.targets)
        elif event.kind == Kind.ZERO_GRAD:
            scaled = False
        elif not scaled or event.how == "accelerator" or not _looks_at_gradients(program, event):
            continue
        elif not unscaled or _belongs_to_another(program, loop, event, unscaled):
            yield event


def _belongs_to_another(program: Program, loop: TrainingLoop, event: Event, unscaled: set[Hashable]) -> bool:
    """Whether the gradients of a clip are held by optimizers for which ``unscale_`` was not called."""
    optimizers = tuple(value for step in loop.steps for value in step.targets)
    owners = optimizers_of(program.resolver, event, optimizers) if event.kind == Kind.CLIP else ()
    return bool(owners) and not any(site(owner) in unscaled for owner in owners)


def _is_scaled(loop: TrainingLoop, backward: Event, path: Path) -> bool:
    """A scaler behind a switch counts where no way through the loop does the same without it."""
    if backward.how != "scaler":
        return False
    if is_on(loop.conditions, backward.scaler, path):
        return True
    return all(e.how == "scaler" for e in loop.backwards) and not any(
        is_on(loop.conditions, backward.scaler, way) is False for way in loop.paths
    )


def _looks_at_gradients(program: Program, event: Event) -> bool:
    """A clip or a read; ``clip_grad_norm_(parameters, limit * scaler.get_scale())`` is right."""
    limit = limit_of(program.resolver, event) if event.kind == Kind.CLIP else None
    if limit is not None and "get_scale" in program.module.code_for_node(limit.node):
        return False
    return event.kind in (Kind.CLIP, Kind.READ_GRADIENTS)


def _divides_by_scale(program: Program, loop: TrainingLoop) -> bool:
    """Whether the code of the iteration asks for the scale: to divide a norm, or to unscale by hand."""
    blocks = {id(event.call.block.function) for event in loop.of()}
    return any(id(call.block.function) in blocks for call in program.resolver.sites_named("get_scale"))


def _too_often(program: Program, loop: TrainingLoop) -> Iterator[tuple[Event, str, str]]:
    """``unscale_`` on a micro-batch that does not end the window: the second one raises."""
    accumulation = loop.accumulation
    if accumulation is None:
        return
    text = "runs on every micro-batch of a window: the second call before `update()` raises"
    for path in loop.paths:
        waits = window_end(accumulation, path) is False and not path.of(Kind.STEP)
        for event in path.of(Kind.UNSCALE):
            nested = accumulation.repeat is not None and inside(event, accumulation.repeat.body)
            if (waits or nested) and is_on(loop.conditions, event.scaler, path) is not False:
                yield event, text, _WINDOW_HELP


RULE = Rule("DNN103", "clip-before-unscale", Severity.ERROR, "S3.2.2b", check)

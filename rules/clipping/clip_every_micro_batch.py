"""DNN303: clipping on every micro-batch of an accumulation window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.clips import limits_anything
from dnnlint.program.paths import has
from dnnlint.program.training import window_end
from dnnlint.program.tree import Event, Kind, guards_around, inside
from dnnlint.program.windows import window_of
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import Accumulation, TrainingLoop

_HELP = "Clip once per optimizer step: inside the branch that steps, or under `if accelerator.sync_gradients:`."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each clip that runs on micro-batches which do not step."""
    for loop in program.training_loops:
        accumulation = loop.accumulation if loop.of(Kind.CLIP) else None
        if accumulation is None:
            continue
        for clip in _clips(loop, accumulation):
            if clip.how != "manual" and limits_anything(program.resolver, clip):
                call = quoted(program, clip.call.node)
                message = f"{call} limits the sum of gradients on every micro-batch, not once per step."
                yield Report(clip.call.node, message, _HELP)


def _clips(loop: TrainingLoop, accumulation: Accumulation) -> Iterator[Event]:
    if accumulation.kind == "framework":
        yield from (clip for clip in loop.of(Kind.CLIP) if clip.how == "accelerator" and not _is_guarded(loop, clip))
    elif accumulation.repeat is not None:
        body = accumulation.repeat.body
        yield from (clip for clip in loop.of(Kind.CLIP) if inside(clip, body) and not _steps_inside(loop, accumulation))
    else:
        for path in loop.paths:
            if window_end(accumulation, path) is False and has(path, Kind.BACKWARD) and not has(path, Kind.STEP):
                yield from path.of(Kind.CLIP)


def _steps_inside(loop: TrainingLoop, accumulation: Accumulation) -> bool:
    return accumulation.repeat is not None and any(inside(step, accumulation.repeat.body) for step in loop.steps)


def _is_guarded(loop: TrainingLoop, clip: Event) -> bool:
    """Whether a branch around a clip asks the framework, or the loop itself, for the end of the window."""
    tests = [fork.test for fork, _ in guards_around(clip, loop.body)]
    return any(test is not None and window_of(loop.conditions, test) is not None for test in tests)


RULE = Rule("DNN303", "clip-every-micro-batch", Severity.WARNING, "S4.2.1b", check)

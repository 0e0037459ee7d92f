"""DNN302: clipping where no gradients wait for a step: before backward or after step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.paths import has
from dnnlint.program.tree import Activation, Event, Kind, ancestors, events, inside
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    import libcst as cst

    from dnnlint.program import Program
    from dnnlint.program.paths import Path
    from dnnlint.program.training import TrainingLoop

_HELP = "Clip between `backward()` and `step()`, once for each step."
_EARLY = "before `backward()`, where the gradients are cleared or already used"
_LATE = "after `step()`, which has already used the gradients"
_MARKS = (Kind.BACKWARD, Kind.STEP, Kind.ZERO_GRAD, Kind.OPAQUE)


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each clip that has no effect on every way through its loop."""
    seen: set[int] = set()
    useful: set[int] = set()
    reports: list[tuple[Event, cst.CSTNode, str]] = []
    for loop in program.training_loops:
        for clip in loop.of(Kind.CLIP):
            text = _verdict(loop, clip)
            if text is None:
                useful.add(id(clip.call.node))
            else:
                reports.append((clip, _call_beside(loop, clip), text))
        reports.extend((clip, clip.call.node, _LATE) for clip in _after_the_loop(program, loop))
    for clip, node, text in reports:
        if id(node) not in seen and id(clip.call.node) not in useful:
            seen.add(id(node))
            yield Report(node, f"{quoted(program, node)} clips {text}: it has no effect.", _HELP)


def _verdict(loop: TrainingLoop, clip: Event) -> str | None:
    """Why a clip has no effect on any way through an iteration; None where it has one, or nothing is certain."""
    if clip.how == "manual":
        return None
    ways = [path for path in loop.paths if clip in path.events and has(path, Kind.BACKWARD) and has(path, Kind.STEP)]
    verdicts = {_on_path(path, clip) for path in ways}
    return verdicts.pop() if len(verdicts) == 1 else None


def _on_path(path: Path, clip: Event) -> str | None:
    """Judge by the neighbours of the clip in the ring of repeated iterations."""
    at = path.index(clip)
    ring = [event.kind for event in (*path.events[at + 1 :], *path.events[:at]) if event.kind in _MARKS]
    following, previous = ring[0], ring[-1]
    before = [event.kind for event in path.events[:at]]
    after = [event.kind for event in path.events[at + 1 :]]
    if following not in (Kind.ZERO_GRAD, Kind.BACKWARD) or previous not in (Kind.ZERO_GRAD, Kind.STEP):
        return None
    if Kind.BACKWARD not in before:
        return _EARLY
    return _LATE if Kind.STEP not in after else None


def _after_the_loop(program: Program, loop: TrainingLoop) -> Iterator[Event]:
    """Clips once per epoch, behind the loop that steps on every batch."""
    if loop.window is None or not loop.outer:
        return
    around = loop.outer[0].body
    outside = [e for e in events(around, *_MARKS, Kind.CLIP) if not inside(e, loop.body)]
    if any(event.kind in (Kind.STEP, Kind.BACKWARD, Kind.OPAQUE) for event in outside):
        return
    yield from (event for event in outside if event.kind == Kind.CLIP and event.how != "manual")


def _call_beside(loop: TrainingLoop, clip: Event) -> cst.CSTNode:
    """The call to point at: that of the helper around the clip, in the function that also holds the backward."""
    node: cst.CSTNode = clip.call.node
    for outer in ancestors(clip):
        if outer is loop.body or (isinstance(outer, Activation) and events(outer, Kind.BACKWARD, Kind.STEP)):
            break
        if isinstance(outer, Activation) and outer.call is not None:
            node = outer.call.node
    return node


RULE = Rule("DNN302", "clip-outside-backward-step", Severity.ERROR, "S4.2.1b", check)

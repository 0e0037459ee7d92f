"""DNN210: ``no_sync()`` covers the micro-batch that ends the window, so that each rank steps with its own gradients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import Severity
from dnnlint.program.held_back import HeldBack, held_back_among
from dnnlint.program.ingredients import ingredients
from dnnlint.program.paths import has
from dnnlint.program.training import optimizers_of, window_end
from dnnlint.program.tree import Event, Kind, contexts_around, guards_around
from dnnlint.program.values import Const, Member, Opaque, Ref, Result, Setting, Value
from dnnlint.program.window_ends import WindowEnd
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.paths import Path
    from dnnlint.program.training import Accumulation, TrainingLoop

_HELP = "Leave `no_sync()` out for the micro-batch whose `backward()` precedes `optimizer.step()`."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the first ``no_sync()`` around a backward pass that the optimizer steps on directly."""
    names = ("no_sync", "no_backward_sync")
    if not any(program.resolver.sites_named(name) or program.loads_attribute(name) for name in names):
        return
    if program.loads_attribute("grad") and program.resolver.sites_named("all_reduce"):
        return
    for loop in program.training_loops:
        for backward, held in _unsynchronised(program, loop):
            call = quoted(program, backward.call.node)
            message = f"{quoted(program, held.node)} also covers {call} of the micro-batch that ends the window."
            yield Report(held.node, message, _HELP)


def _unsynchronised(program: Program, loop: TrainingLoop) -> Iterator[tuple[Event, HeldBack]]:
    accumulation = loop.accumulation
    if accumulation is None or accumulation.kind == "framework" or len(optimizers_of(loop)) != 1:
        return
    end = WindowEnd(program.conditions, accumulation)
    for path in loop.paths:
        if window_end(accumulation, path) is False or any(event.how == "engine" for event in path.events):
            continue
        backward = _last_backward(path)
        if backward is None or _may_average(path, backward):
            continue
        for held in held_back_among(program.conditions, contexts_around(backward)):
            if _holds_at_end(program, loop, end, backward, held) or _misses_last(program, accumulation, held):
                yield backward, held


def _last_backward(path: Path) -> Event | None:
    """The backward pass right in front of the step."""
    if not has(path, Kind.STEP):
        return None
    first = path.index(path.of(Kind.STEP)[0])
    before = [event for event in path.of(Kind.BACKWARD) if path.index(event) < first]
    return before[-1] if before else None


def _may_average(path: Path, backward: Event) -> bool:
    """Whether something unknown runs after the backward pass: it may average the gradients or the weights."""
    return any(event.kind == Kind.OPAQUE for event in path.events[path.index(backward) :])


def _holds_at_end(program: Program, loop: TrainingLoop, end: WindowEnd, backward: Event, held: HeldBack) -> bool:
    """Whether synchronisation is held back in the last micro-batch: nothing known speaks against it."""
    steps = {id(fork) for step in loop.steps for fork, _ in guards_around(step, loop.body)}
    guards = [(f, side) for f, side in guards_around(backward, loop.body) if id(f) not in steps]
    own = [(fork.test, side) for fork, side in guards if fork.test is not None]
    outcomes = [_outcome(program, end, test, side) for test, side in (*held.tests, *own)]
    if False in outcomes or "unknown" in outcomes:
        return False
    # Options alone may stand for anything, also for a caller that knows where the window ends.
    return True in outcomes or not outcomes


def _outcome(program: Program, end: WindowEnd, test: Ref, side: bool) -> bool | str:
    """Whether a condition holds at the end of the window; an option may hold in all micro-batches alike."""
    known = end.outcome(test)
    if known is not None:
        return known is side
    values = program.resolver.resolve(test)
    return "option" if values and all(_is_option(value) for value in values) else "unknown"


def _is_option(value: Value) -> bool:
    if isinstance(value, Member):
        return _is_option(value.base)
    return isinstance(value, (Setting, Const, Opaque)) or (isinstance(value, Result) and bool(value.qualified))


def _misses_last(program: Program, accumulation: Accumulation, held: HeldBack) -> bool:
    """Whether the step also runs on the last batch of the loader, which the condition of ``no_sync()`` leaves out."""
    window = accumulation.window
    if window is None or len(held.tests) != 1 or not any(_is_last(program, ref) for ref in window.alternatives):
        return False
    test, _ = held.tests[0]
    return not any(_measures(ref) for ref in ingredients(program, test)) and _is_window(program, accumulation, test)


def _is_window(program: Program, accumulation: Accumulation, test: Ref) -> bool:
    return WindowEnd(program.conditions, accumulation).outcome(test) is not None


def _is_last(program: Program, ref: Ref) -> bool:
    return isinstance(ref.node, cst.Comparison) and any(_measures(part) for part in ingredients(program, ref))


def _measures(ref: Ref) -> bool:
    node = ref.node
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "len"


RULE = Rule("DNN210", "unsynchronised-optimizer-step", Severity.ERROR, "S3.2.1a", check)

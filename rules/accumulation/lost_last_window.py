"""DNN205: the micro-batches left over at the end of an epoch are lost, or leak into the next one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import BindingKind, lookup
from dnnlint.finding import Severity
from dnnlint.program.lengths import batches_of, is_finite
from dnnlint.program.literals import number
from dnnlint.program.tree import Kind, Node, Repeat, ancestors, events, inside
from dnnlint.program.values import Ref
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop
    from dnnlint.program.windows import Window


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report window tests that nothing makes true for the last batch."""
    for loop in program.training_loops:
        found = loop.accumulation
        if found is None or found.window is None or found.fork is None or found.fork.branch.test is None:
            continue
        window, test = found.window, found.fork.branch.test
        if window.divisor is None or window.alternatives:
            continue
        if _ends_open(program, loop, window) and not _steps_outside(loop):
            message = f"{quoted(program, test)} takes no step for the batches left over by an epoch: {_fate(loop)}."
            yield Report(test, message, "Step on the last batch as well, for example with `or i + 1 == len(loader)`.")


def _ends_open(program: Program, loop: TrainingLoop, window: Window) -> bool:
    """Whether the loop ends at some batch, with a count that starts anew in the next epoch."""
    repeat = loop.window
    if repeat is None or repeat.loop.kind != "for" or repeat.loop.iterable is None or window.divisor is None:
        return False
    iterable = Ref(repeat.loop.iterable, repeat.place)
    total = batches_of(program, iterable)
    length = number(program.resolver.resolve(window.divisor))
    if length == 1:
        return False
    if total is not None and length:
        return total % length != 0
    return is_finite(program, loop, iterable) and not _persists(program, loop, window)


def _persists(program: Program, loop: TrainingLoop, window: Window) -> bool:
    """Whether the counter runs on over the epochs: it is set outside of them and counted up inside."""
    counter = window.counter
    if counter is None or not isinstance(counter.node, cst.Name):
        return True
    scope, bindings = lookup(counter.place.block.scope, counter.node.value)
    if all(binding.kind == BindingKind.ITER for binding in bindings):
        return False
    starts = [b for b in bindings if b.kind == BindingKind.ASSIGN and isinstance(b.value, cst.Integer) and b.block]
    if scope is not counter.place.block.scope or not starts or loop.window is None:
        return True
    if not loop.outer:
        return False
    own = loop.window.loop.block.function
    epochs = loop.outer[0].loop
    if epochs.block.function is not own:
        return False
    within = [b for b in starts if b.block is not None and b.block.within(epochs.body)]
    return all(b.block is not None and b.block.within(loop.window.loop.body) for b in within)


def _steps_outside(loop: TrainingLoop) -> bool:
    """Whether the optimizer is stepped after the loop as well."""
    if loop.window is None:
        return True
    root: Node = loop.window
    for node in ancestors(loop.window):
        root = node
    return any(not inside(step, loop.window.body) for step in events(root, Kind.STEP))


def _fate(loop: TrainingLoop) -> str:
    """What becomes of the leftover gradients."""
    if loop.window is None or not loop.outer:
        return "their gradients are lost"
    outer: Repeat = loop.outer[0]
    clears = [e for e in events(outer.body, Kind.ZERO_GRAD) if not inside(e, loop.window)]
    return "their gradients are thrown away" if clears else "their gradients leak into the next epoch"


RULE = Rule(
    code="DNN205",
    name="lost-last-window",
    severity=Severity.WARNING,
    clause="S3.2.1a",
    check=check,
)

"""DNN504: the allocator's cache is emptied on every iteration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import Severity
from dnnlint.program.hooks import batch_method
from dnnlint.program.residence import asks_for_device
from dnnlint.program.roles import last_name
from dnnlint.program.tree import Attempt, Event, Fork, Kind, Node, Repeat, ancestors, events, loops_around
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_WORK = (Kind.BACKWARD, Kind.STEP, Kind.FORWARD)


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report empty_cache() that every round of a loop over batches runs."""
    if not program.resolver.sites_named("empty_cache"):
        return
    for event in program.events(Kind.EMPTY_CACHE):
        loops = loops_around(event)
        if not loops:
            continue
        if (
            _runs_every_time(program, event, loops[0])
            and _is_batch_loop(loops[0])
            and (not _holds_a_training(program, event, loops[0]))
        ):
            yield _report(program, event.call.node)
    for call in program.resolver.sites_named("empty_cache"):
        if batch_method(program, call) is not None:
            yield _report(program, call.node)


def _report(program: Program, node: cst.CSTNode) -> Report:
    return Report(
        node,
        f"{quoted(program, node)} runs on every iteration: it waits for the GPU, and the next "
        "iteration allocates the same memory again.",
        "Remove it, or call it once between phases or after an out-of-memory error.",
    )


def _is_batch_loop(loop: Repeat) -> bool:
    """Whether the loop itself runs the model; one around whole trainings runs it for a look at most."""
    inner = [loops_around(event)[0] for event in events(loop.body, *_WORK)]
    return any(around is loop for around in inner)


def _holds_a_training(program: Program, event: Event, loop: Repeat) -> bool:
    """Whether each round is a training of its own: epochs with batches in them, or the ``train()`` of a trainer."""
    for call in program.resolver.sites_named("train"):
        func = call.node.func
        if call.block.function is not event.call.block.function or not isinstance(func, cst.Attribute):
            continue
        if any(last_name(value).endswith("Trainer") for value in program.resolve(func.value, call)):
            return True
    for step in events(loop.body, Kind.STEP):
        around = loops_around(step)
        if len(around[: around.index(loop)]) > 1:
            return True
    return False


def _runs_every_time(program: Program, event: Event, loop: Repeat) -> bool:
    inner: Node = event
    for outer in ancestors(event):
        if outer is loop:
            return True
        if isinstance(outer, Attempt) and inner in outer.handlers:
            return False
        if isinstance(outer, Fork) and not asks_for_device(outer.branch):
            return False
        inner = outer
    return False


RULE = Rule(
    code="DNN504",
    name="empty-cache-in-loop",
    severity=Severity.WARNING,
    clause="S5.1.1",
    check=check,
)

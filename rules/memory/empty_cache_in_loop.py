"""DNN504: the allocator's cache is emptied on every iteration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import Severity
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
        if _runs_every_time(program, event, loops[0]) and _is_batch_loop(loops[0]):
            yield Report(
                event.call.node,
                f"{quoted(program, event.call.node)} runs on every iteration: it waits for the GPU, and the next "
                "iteration allocates the same memory again.",
                "Remove it, or call it once between phases or after an out-of-memory error.",
            )


def _is_batch_loop(loop: Repeat) -> bool:
    """Whether the loop itself, not one inside it, runs the model."""
    return any(loops_around(event)[0] is loop for event in events(loop.body, *_WORK))


def _runs_every_time(program: Program, event: Event, loop: Repeat) -> bool:
    inner: Node = event
    for outer in ancestors(event):
        if outer is loop:
            return True
        if isinstance(outer, Attempt) and inner in outer.handlers:
            return False
        if isinstance(outer, Fork) and not _asks_for_device(outer):
            return False
        inner = outer
    return False


def _asks_for_device(fork: Fork) -> bool:
    """``if torch.cuda.is_available():`` has the same outcome in every round."""
    return fork.branch.test is not None and _mentions_device(fork.branch.test)


def _mentions_device(node: cst.CSTNode) -> bool:
    if isinstance(node, (cst.Comparison, cst.BooleanOperation)):
        return all(_mentions_device(side) for side in node.children if isinstance(side, cst.BaseExpression))
    if isinstance(node, cst.Call):
        return _mentions_device(node.func)
    name = node.attr.value if isinstance(node, cst.Attribute) else getattr(node, "value", "")
    return isinstance(name, str) and name in ("is_available", "use_cuda", "cuda", "device_count")


RULE = Rule(
    code="DNN504",
    name="empty-cache-in-loop",
    severity=Severity.WARNING,
    clause="S5.1.1",
    check=check,
)

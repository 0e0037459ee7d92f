"""DNN505: the graph is kept after the only backward that uses it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.graphs import GraphSources, sources_of
from dnnlint.program.iterations import retains_graph
from dnnlint.program.tree import Activation, Event, Kind, Repeat, events, loops_around, walk
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.facts import Block
    from dnnlint.program import Program

# Further passes over a graph that are no backward.
_PASSES = ("torch.autograd.grad", "torch.autograd.functional.jacobian", "torch.autograd.functional.hessian")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report backward(retain_graph=True) in a loop where nothing else goes through the same graph."""
    names = ("backward", "manual_backward")
    calls = [call for name in names for call in program.resolver.sites_named(name)]
    if not any(a.keyword is not None and a.keyword.value == "retain_graph" for c in calls for a in c.node.args):
        return
    for event in program.events(Kind.BACKWARD):
        loops = loops_around(event)
        if not loops or not retains_graph(program, event):
            continue
        if not _is_needed(program, event, loops[0]):
            yield Report(
                event.call.node,
                f"{quoted(program, event.call.node)} keeps the graph with its activations, and no other backward of "
                "the iteration goes through it.",
                "Leave out `retain_graph`, so that the backward frees the activations as it goes.",
            )


def _is_needed(program: Program, event: Event, loop: Repeat) -> bool:
    """Whether the graph may be used again: by another pass, in a later round, or since it was made before the loop."""
    own = sources_of(program, event, loop)
    if own.unknown or own.outside or own.carried:
        return True
    if any(_runs_in(call.block, loop) for call in program.calls_to(*_PASSES)):
        return True
    others = [other for other in events(loop.body, Kind.BACKWARD) if other is not event]
    return any(_shares(own, sources_of(program, other, loop)) for other in others)


def _shares(own: GraphSources, other: GraphSources) -> bool:
    return other.unknown or bool(own.calls & other.calls)


def _runs_in(block: Block, loop: Repeat) -> bool:
    """Whether a block is part of a loop, also through the functions that it calls."""
    called = {id(node.function) for node in walk(loop.body) if isinstance(node, Activation)}
    return block.within(loop.loop.body) or (block.function is not None and id(block.function) in called)


RULE = Rule(
    code="DNN505",
    name="retain-graph-in-loop",
    severity=Severity.WARNING,
    clause="S5.1.1",
    check=check,
)

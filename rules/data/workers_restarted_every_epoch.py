"""DNN403: worker processes that are started anew in every epoch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import dotted
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.lengths import batches_of
from dnnlint.program.literals import numbers
from dnnlint.program.loader_arguments import is_made_within, is_off, switch_on
from dnnlint.program.loaders import LOADERS, choices
from dnnlint.program.tree import Repeat, loops_around
from dnnlint.program.values import Ref
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.facts import Call
    from dnnlint.program import Program


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report loaders with workers that several epochs go through without keeping them."""
    for call in program.calls_to(*LOADERS):
        count = _workers(program, call)
        if count is None or not is_off(program, call, "persistent_workers"):
            continue
        repeats = program.loader_uses.repeats(call)
        if any(_is_epoch(program, call, outer) for repeat in repeats for outer in loops_around(repeat)):
            value = _switch(program, call)
            advice = f"Set `persistent_workers={value or True}`."
            yield Report(
                call.node,
                f"{quoted(program, call.node)} starts and stops {count} worker processes in every epoch: "
                "`persistent_workers` is off.",
                advice,
                edits=switch_on(call, "persistent_workers", value) if value else (),
                fix_description=advice,
            )


def _switch(program: Program, call: Call) -> str:
    """``True`` for a literal number of workers, a test for a name that may be 0 in another run; empty otherwise."""
    refs, _ = choices(program, call, "num_workers")
    nodes = [ref.node for ref in refs if ref is not None]
    if len(nodes) != 1 or not any(nodes[0] is entry.value for entry in call.node.args):
        return ""
    if isinstance(nodes[0], cst.Integer):
        return "True"
    name = dotted(nodes[0])
    return f"{name} > 0" if name else ""


def _workers(program: Program, call: Call) -> str | None:
    """The number of workers as text, None where it is not known or may be 0."""
    refs, known = choices(program, call, "num_workers")
    counts: list[float] = []
    for ref in refs:
        for value in program.resolver.resolve(ref) if ref is not None else ():
            found = numbers((value,))
            known = known and bool(found)
            counts.extend(found)
        known = known and ref is not None
    if not known or not counts or min(counts) < 1:
        return None
    return " or ".join(str(int(count)) for count in dict.fromkeys(counts))


def _is_epoch(program: Program, call: Call, outer: Repeat) -> bool:
    """Whether each turn of a loop goes through the same loader again."""
    if is_made_within(program, call, outer):
        return False
    if outer.loop.iterable is None:
        return True
    iterable = Ref(outer.loop.iterable, outer.place)
    several_loaders = any(loader.node is call.node for loader in program.loader_uses.sources(iterable))
    return not several_loaders and batches_of(program, iterable) != 1


RULE = Rule(
    code="DNN403",
    name="workers-restarted-every-epoch",
    severity=Severity.ADVICE,
    clause="S3.1.1a",
    check=check,
    fix=FixSafety.SAFE,
)

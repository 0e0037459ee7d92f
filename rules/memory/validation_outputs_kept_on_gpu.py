"""DNN513: the predictions of a whole evaluation are collected on the GPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call
from dnnlint.finding import Severity
from dnnlint.program.reaching import outermost_loop
from dnnlint.program.residence import Residence
from dnnlint.program.rounds import batch_loops
from dnnlint.program.tree import Kind, Repeat, events
from dnnlint.program.values import Items, Member, Place, Ref, Result, Value
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

# Functions and methods whose result is as large as what they get.
_SAME_SIZE = frozenset(
    "softmax log_softmax sigmoid relu tanh exp detach clone float half squeeze unsqueeze view reshape flatten".split()
)
_MAX_DEPTH = 8


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report lists that collect outputs of a network on CUDA in a loop that trains nothing."""
    calls = [c for c in program.resolver.sites_named("append") if isinstance(c.node.func, cst.Attribute) and c.chain]
    looped = [call for call in calls if outermost_loop(call.block) is not None]
    if not looped or not program.imports("torch") or not _names_cuda(program):
        return
    residence: Residence | None = None
    for loop in batch_loops(program, Kind.FORWARD):
        if events(loop.body, Kind.BACKWARD, Kind.STEP):
            continue
        outputs = {id(event.call.node) for event in events(loop.body, Kind.FORWARD)}
        for call in calls:
            if not call.block.within(loop.loop.body) or len(call.node.args) != 1 or not _outlives(program, call, loop):
                continue
            residence = residence or Residence(program)
            kept = Ref(call.node.args[0].value, Place(loop.place.frame, call.block, call.order))
            if _is_output(program, kept, outputs) and residence.is_on_cuda(kept):
                container = cst.ensure_type(call.node.func, cst.Attribute).value
                yield Report(
                    call.node,
                    f"{quoted(program, container)} keeps the outputs of every batch on the GPU: "
                    f"{quoted(program, kept.node)} is not moved to the CPU.",
                    "Append the result of `.cpu()`, or update a metric in the loop.",
                )


def _names_cuda(program: Program) -> bool:
    """Whether anything is moved: a network and its outputs are on a GPU only then."""
    return any(program.resolver.sites_named(name) for name in ("cuda", "to", "set_default_device", "prepare"))


def _outlives(program: Program, call: Call, loop: Repeat) -> bool:
    """Whether the list was made before the loop."""
    container = cst.ensure_type(call.node.func, cst.Attribute).value
    values = program.resolver.resolve(Ref(container, Place(loop.place.frame, call.block, call.order)))
    return bool(values) and all(_is_list(v) and not v.place.block.within(loop.loop.body) for v in values)  # type: ignore[union-attr]


def _is_list(value: Value) -> bool:
    return isinstance(value, Items) or (isinstance(value, Result) and value.qualified == "builtins.list")


def _is_output(program: Program, ref: Ref, outputs: set[int]) -> bool:
    values = program.resolver.resolve(ref)
    return bool(values) and all(_comes_from(program, value, outputs, 0) for value in values)


def _comes_from(program: Program, value: Value, outputs: set[int], depth: int) -> bool:
    if not isinstance(value, Result) or depth > _MAX_DEPTH:
        return False
    if id(value.node) in outputs:
        return True
    name = value.method or value.qualified.rsplit(".", 1)[-1]
    if name not in _SAME_SIZE:
        return False
    if isinstance(value.callee, Member):
        return _comes_from(program, value.callee.base, outputs, depth + 1)
    given = value.node.args[:1]
    return any(
        _comes_from(program, inner, outputs, depth + 1)
        for entry in given
        for inner in program.resolver.resolve(Ref(entry.value, value.place))
    )


RULE = Rule(
    code="DNN513",
    name="validation-outputs-kept-on-gpu",
    severity=Severity.ADVICE,
    clause="S5.1.1",
    check=check,
)

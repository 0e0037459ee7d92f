"""DNN516: the same data, or the model, is moved to the device in every iteration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call, lookup
from dnnlint.finding import Severity
from dnnlint.program.residence import moved_to_cuda
from dnnlint.program.roles import last_name
from dnnlint.program.rounds import batch_loops, calls_in_every_round, is_inside, outlives_round
from dnnlint.program.tree import Repeat
from dnnlint.program.values import Member, Place, Ref, Result
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

# Functions that make a tensor on the host unless a device is named.
_FACTORIES = frozenset(
    "tensor as_tensor from_numpy zeros ones full empty rand randn randint randperm arange linspace eye load "
    "FloatTensor LongTensor Tensor".split()
)


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report transfers to CUDA of what was made before the loop."""
    calls = [call for name in ("to", "cuda") for call in program.resolver.sites_named(name)]
    calls = [call for call in calls if isinstance(call.node.func, cst.Attribute)]
    if not calls or not program.imports("torch"):
        return
    for loop in batch_loops(program):
        for call, place in calls_in_every_round(program, calls, loop):
            func = cst.ensure_type(call.node.func, cst.Attribute)
            moved = Ref(func.value, place)
            if not moved_to_cuda(program, call.node, place) or _changes_in(program, moved, loop):
                continue
            what = _what(program, moved, loop)
            if what:
                yield Report(
                    call.node,
                    f"{quoted(program, call.node)} moves the same {what} to the device in every iteration.",
                    "Move it once before the loop.",
                )


def _what(program: Program, moved: Ref, loop: Repeat) -> str:
    values = program.resolver.resolve(moved)
    if not values or not all(outlives_round(value, loop) for value in values):
        return ""
    if all(program.roles.is_model(value) for value in values):
        offloads = [c for c in program.resolver.sites_named("cpu") if c.block.within(loop.loop.body)]
        return "" if any(_is_model(program, c) for c in offloads) else "model"
    return "tensor" if all(isinstance(v, Result) and _is_made_on_host(v) for v in values) else ""


def _is_model(program: Program, call: Call) -> bool:
    func = call.node.func
    values = program.resolve(func.value, call) if isinstance(func, cst.Attribute) else ()
    return any(program.roles.is_model(value) for value in values)


def _is_made_on_host(value: Result) -> bool:
    if isinstance(value.callee, Member):
        return False
    named = any(
        entry.star or (entry.keyword is not None and entry.keyword.value == "device") for entry in value.node.args
    )
    return value.qualified.startswith("torch.") and last_name(value) in _FACTORIES and not named


def _changes_in(program: Program, moved: Ref, loop: Repeat) -> bool:
    """Whether the loop binds or fills the variable, so that it holds something new or lies on the device already."""
    node = moved.node
    if not isinstance(node, cst.Name):
        return False
    scope, bindings = lookup(moved.place.block.scope, node.value)
    if any(b.block is not None and is_inside(Place(moved.place.frame, b.block, b.order), loop) for b in bindings):
        return not _is_model_name(program, moved)
    for assign in program.facts.assigns:
        target = assign.target
        root = target.value if isinstance(target, (cst.Subscript, cst.Attribute)) else None
        if isinstance(root, cst.Name) and root.value == node.value and assign.block.scope is scope:
            return True
    return any(
        call.attribute.endswith("_") and isinstance(call.root, cst.Name) and call.root.value == node.value
        for call in program.facts.calls
    )


def _is_model_name(program: Program, moved: Ref) -> bool:
    return all(program.roles.is_model(value) for value in program.resolver.resolve(moved))


RULE = Rule(
    code="DNN516",
    name="repeated-host-to-device-transfer",
    severity=Severity.ADVICE,
    clause="S2.1.2c",
    check=check,
)

"""DNN803: a training that can diverge, and nothing in it looks whether the loss is finite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Block, Branch, Jump
from dnnlint.finding import Severity
from dnnlint.program.clips import limits_anything
from dnnlint.program.precision import autocasts, scaler_enabled
from dnnlint.program.scripts import attribute_names, called_parts, is_unknown_inside, script_loops
from dnnlint.program.spreading import Spread
from dnnlint.program.tree import Event, Kind, contexts_around
from dnnlint.program.values import Const, Ref
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings
from dnnlint.rules.monitoring._losses import loss_names, unknown_takers

if TYPE_CHECKING:
    from dnnlint.facts import Call
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

_GUARDS = re.compile(
    r"(^|_|is|any)(nan|inf)(s|$|_)|finite|nan_?to_?num|anomaly|diverg|overflow|non_?finite|early_?stop", re.I
)
_STOPS = frozenset({"exit", "_exit", "abort", "quit", "kill", "stop"})
_FRAMEWORKS = tuple(
    "lightning pytorch_lightning lightning_fabric ignite composer deepspeed mmengine mmcv colossalai opacus ray fastai "
    "accelerate apex torch_xla".split()
)


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each training loop of a script in float16, or without clipping, that never tests its loss."""
    loops = script_loops(program)
    if not loops or program.imports(*_FRAMEWORKS) or _names_a_guard(program):
        return
    for loop in loops:
        backward = next(iter(loop.backwards), None)
        risk = _risk(program, loop)
        if backward is None or not risk or is_unknown_inside(program, loop) or _may_be_guarded(program, loop):
            continue
        yield Report(
            backward.call.node,
            f"{quoted(program, backward.call.node)} runs {risk}, and nothing tests whether the loss is finite.",
            "Stop the run, or skip the step, when `math.isfinite` is false for the loss, tested where it is logged.",
        )


def _risk(program: Program, loop: TrainingLoop) -> str:
    """``in float16`` or ``without gradient clipping``; empty where gradients are clipped in another type."""
    if any(_is_float16(program, event) for event in (*loop.backwards, *loop.of(Kind.FORWARD))):
        return "in float16"
    clips = [clip for clip in loop.of(Kind.CLIP) if limits_anything(program.resolver, clip)]
    return "" if clips else "without gradient clipping"


def _is_float16(program: Program, event: Event) -> bool:
    if event.how == "scaler":
        return not any(scaler_enabled(program.resolver, value)[0] == (Const(False),) for value in event.scaler)
    return any(autocast.dtypes == {"float16"} for autocast in autocasts(program.resolver, contexts_around(event)))


def _names_a_guard(program: Program) -> bool:
    """Whether a call, an argument or an attribute is named like a test for finite numbers."""
    for call in program.facts.calls:
        keywords = (entry.keyword.value for entry in call.node.args if entry.keyword is not None)
        if any(_GUARDS.search(name) for name in (*called_parts(call)[-1:], *keywords)):
            return True
    return any(_GUARDS.search(name) for name in attribute_names(program))


def _may_be_guarded(program: Program, loop: TrainingLoop) -> bool:
    """Whether a test of the loss leaves the loop or skips the step, or unknown code gets the loss."""
    spread = Spread(program, loss_names(program, loop))
    if any(unknown_takers(program, spread)):
        return True
    branches = program.facts.branches
    if any(_compares_with_itself(branch) for branch in branches):
        return True
    return any(
        spread.reaches(branch.test) and _leaves(branch, program.facts.calls) and not _is_decided(program, branch)
        for branch in branches
    )


def _is_decided(program: Program, branch: Branch) -> bool:
    """Whether a test is the same in every run: ``if not self.check(loss)`` where the only ``check`` returns True."""
    if branch.test is None or program.resolver.truth(Ref(branch.test, program.place_of(branch))) is None:
        return False
    called = {call.attribute for call in program.facts.calls if call.node in _calls_in(branch.test)}
    defined = [function.name for function in program.facts.functions if function.name in called]
    return len(defined) == len(set(defined))


def _calls_in(node: cst.CSTNode) -> list[cst.CSTNode]:
    inner = [found for child in node.children for found in _calls_in(child)]
    return [node, *inner] if isinstance(node, cst.Call) else inner


def _compares_with_itself(branch: Branch) -> bool:
    """``loss != loss``."""
    test = branch.test
    return isinstance(test, cst.Comparison) and any(
        isinstance(part.operator, cst.NotEqual) and part.comparator.deep_equals(test.left) for part in test.comparisons
    )


def _leaves(branch: Branch, calls: list[Call]) -> bool:
    sides = [branch.then, *([branch.orelse] if branch.orelse is not None else [])]
    if any(isinstance(item, Jump) for side in sides for item in _items(side)):
        return True
    guarded = (*_STOPS, "step", "backward")
    return any(call.attribute in guarded and any(call.block.within(side) for side in sides) for call in calls)


def _items(block: Block) -> Iterator[object]:
    for item in block.items:
        yield item
        if isinstance(item, Branch):
            for inner in (item.then, item.orelse):
                if inner is not None:
                    yield from _items(inner)


RULE = Rule("DNN803", "no-divergence-guard", Severity.ADVICE, "S5.2.2", check)

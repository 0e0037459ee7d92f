"""DNN104: a gradient scaler that is enabled although autocast computes the loss in bfloat16."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import FixSafety, Severity
from dnnlint.program.describe import text_of
from dnnlint.program.precision import SCALERS, scaler_enabled
from dnnlint.program.regions import Regions
from dnnlint.program.tree import Event
from dnnlint.program.values import Const, Result
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

_HELP = "Leave the scaler out, or write GradScaler(..., enabled=dtype == torch.float16)."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each scaler that only ever scales losses computed in bfloat16."""
    if not program.calls_to(*SCALERS):
        return
    regions = Regions(program.conditions)
    verdicts: dict[int, tuple[Result, bool]] = {}
    for loop in program.training_loops:
        for backward in loop.backwards:
            if backward.how == "scaler":
                needless = _only_bfloat16(loop, backward, regions)
                for scaler in backward.scaler:
                    if isinstance(scaler, Result) and scaler.qualified in SCALERS:
                        before = verdicts.get(id(scaler.node), (scaler, True))[1]
                        verdicts[id(scaler.node)] = (scaler, before and needless)
    for scaler, needless in verdicts.values():
        if needless and _is_always_on(program, scaler):
            text = text_of(program, scaler.node)
            yield Report(
                scaler.node,
                f"{text} is enabled, and autocast computes the losses that it scales in bfloat16.",
                _HELP,
                edits=_disabling(program, scaler),
                fix_description="Disable the scaler.",
            )


def _only_bfloat16(loop: TrainingLoop, backward: Event, regions: Regions) -> bool:
    """Whether autocast may run in bfloat16 at a loss, and on no way in float16 or in an unknown type."""
    assert backward.loss is not None
    types: set[str] = set()
    for path in loop.paths:
        if backward in path.events:
            for region in regions.of_loss(backward.loss, dict(path.decisions)):
                types |= region.dtypes
    return "bfloat16" in types and types <= {"bfloat16", "float32"}


def _is_always_on(program: Program, scaler: Result) -> bool:
    values, switch = scaler_enabled(program.resolver, scaler)
    return switch is None or values == (Const(True),)


def _disabling(program: Program, scaler: Result) -> tuple[NodeEdit, ...]:
    _, switch = scaler_enabled(program.resolver, scaler)
    if switch is not None:
        is_literal = isinstance(switch.node, cst.Name) and switch.node.value == "True"
        return (NodeEdit("replace", switch.node, "False"),) if is_literal else ()
    if not scaler.node.args:
        function = program.module.code_for_node(scaler.node.func)
        return (NodeEdit("replace", scaler.node, f"{function}(enabled=False)"),)
    last = scaler.node.args[-1]
    return (NodeEdit("after", last.value, ", enabled=False"),) if not last.star else ()


RULE = Rule("DNN104", "grad-scaler-with-bfloat16", Severity.WARNING, "S3.2.2b", check, FixSafety.UNSAFE)

"""DNN104: a gradient scaler that is enabled although autocast computes the loss in bfloat16."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import FixSafety, Severity
from dnnlint.program.precision import SCALERS, scaler_enabled
from dnnlint.program.regions import HalfRegion, Regions
from dnnlint.program.tree import Event
from dnnlint.program.values import Const, Result, Value
from dnnlint.program.wording import quoted
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

_HELP = "Leave the scaler out, or write `GradScaler(..., enabled=dtype == torch.float16)`."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each scaler that only ever scales losses computed in bfloat16."""
    if not program.calls_to(*SCALERS):
        return
    regions = Regions(program.conditions)
    casts: dict[int, list[HalfRegion]] = {}
    scalers: dict[int, Result] = {}
    for loop in program.training_loops:
        for backward in loop.backwards if loop.paths else ():
            for scaler in backward.scaler:
                if isinstance(scaler, Result) and scaler.qualified in SCALERS:
                    scalers[id(scaler.node)] = scaler
                    casts.setdefault(id(scaler.node), []).extend(_regions_of(loop, backward, regions))
    for key, scaler in scalers.items():
        types = {kind for region in casts[key] for kind in region.dtypes}
        if "bfloat16" in types <= {"bfloat16", "float32"} and _is_on(program, scaler, casts[key]):
            text = quoted(program, scaler.node)
            yield Report(
                scaler.node,
                f"{text} is enabled, and autocast computes the losses that it scales in bfloat16.",
                _HELP,
                edits=_disabling(program, scaler),
                fix_description="Disable the scaler.",
            )


def _regions_of(loop: TrainingLoop, backward: Event, regions: Regions) -> Iterator[HalfRegion]:
    """The autocasts behind a loss on every way to its backward."""
    assert backward.loss is not None
    for path in loop.paths:
        if backward in path.events:
            yield from regions.of_loss(backward.loss, dict(path.decisions))


def _is_on(program: Program, scaler: Result, regions: list[HalfRegion]) -> bool:
    """Whether the switch of a scaler does not depend on the type: absent, the presence of CUDA, that of autocast."""
    values, switch = scaler_enabled(program.resolver, scaler)
    if switch is None or all(value == Const(True) or _is_cuda_test(value) for value in values):
        return True
    key = program.conditions.key(switch)
    switches = [region.autocast.enabled_ref for region in regions]
    return bool(switches) and all(other is not None and program.conditions.key(other) == key for other in switches)


def _is_cuda_test(value: Value) -> bool:
    return isinstance(value, Result) and value.qualified == "torch.cuda.is_available"


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

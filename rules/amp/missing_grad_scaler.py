"""DNN101: float16 autocast and a backward pass without a gradient scaler."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import Severity
from dnnlint.program.literals import number
from dnnlint.program.precision import scaler_enabled
from dnnlint.program.regions import HalfRegion, Regions
from dnnlint.program.tree import Event, Kind
from dnnlint.program.values import Const, Ref, Values
from dnnlint.program.wording import option_name, quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.paths import Path
    from dnnlint.program.training import TrainingLoop

_HELP = (
    'Scale the loss and step through one `torch.amp.GradScaler("cuda")`, or set `dtype=torch.bfloat16`, which needs '
    "no scaler."
)
# A loss multiplied by a number this large before backward() is scaled by hand.
_LOSS_SCALE = 8


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report plain backward passes whose loss float16 autocast computes."""
    if not _mentions_autocast(program):
        return
    regions = Regions(program.conditions)
    for loop in program.training_loops:
        for backward in loop.backwards:
            region = _float16_region(program, loop, backward, regions) if _is_unscaled(program, backward) else None
            if region is not None:
                yield Report(backward.call.node, _message(program, backward, region), _HELP)


def _mentions_autocast(program: Program) -> bool:
    return (
        bool(program.resolver.sites_named("autocast"))
        or program.loads_attribute("autocast")
        or any(name.endswith(".autocast") for name, _ in program.facts.imports)
    )


def _is_unscaled(program: Program, backward: Event) -> bool:
    """A plain backward of a loss that nothing visibly scales, or one through a scaler that is switched off."""
    if backward.how == "scaler":
        return bool(backward.scaler) and all(
            scaler_enabled(program.resolver, scaler)[0] == (Const(False),) for scaler in backward.scaler
        )
    if backward.how not in ("plain", "function") or backward.loss is None:
        return False
    return not _scaled_by_hand(program, backward.loss)


def _scaled_by_hand(program: Program, loss: Ref) -> bool:
    node = loss.node
    if isinstance(node, cst.Name):
        bound = program.conditions.bindings(loss)
        if len(bound) == 1 and isinstance(bound[0][0].value, cst.BaseExpression):
            loss = Ref(bound[0][0].value, bound[0][1])
            node = loss.node
    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Multiply):
        return False
    factors = [program.resolver.resolve(Ref(side, loss.place)) for side in (node.left, node.right)]
    return any((number(values) or 0) >= _LOSS_SCALE or _is_scale(values) for values in factors)


def _is_scale(values: Values) -> bool:
    """Whether a factor asks an object for its scale: ``loss * scaler.get_scale()``, ``loss * self.loss_scale``."""
    return any("scale" in (getattr(v, "method", "") or getattr(v, "name", "")) for v in values)


def _float16_region(program: Program, loop: TrainingLoop, backward: Event, regions: Regions) -> HalfRegion | None:
    """The float16 autocast behind a backward, on a path where neither it nor its step is scaled."""
    if backward.loss is None or not any("float16" in region.dtypes for region in regions.of_loss(backward.loss, {})):
        return None
    needs_proof = _has_scaled_alternative(loop, backward)
    for path in loop.paths:
        if backward not in path.events or _is_scaled_later(program, path, backward):
            continue
        for region in regions.of_loss(backward.loss, dict(path.decisions)):
            if "float16" not in region.dtypes or _runs_elsewhere(program, region):
                continue
            if not needs_proof or (region.certain and region.dtypes == frozenset({"float16"})):
                return region
    return None


def _has_scaled_alternative(loop: TrainingLoop, backward: Event) -> bool:
    """Whether other iterations use a scaler instead: then the plain path has to be certain to run in float16."""
    for path in loop.paths:
        if backward in path.events:
            continue
        if any(e.how in ("scaler", "engine", "apex", "accelerator") for e in path.of(Kind.BACKWARD, Kind.STEP)):
            return True
        if path.of(Kind.OPAQUE) and not path.of(Kind.BACKWARD, Kind.STEP):
            return True
    return False


def _is_scaled_later(program: Program, path: Path, backward: Event) -> bool:
    """Whether the step belongs to a scaler (an incomplete scaler is a fault of its own) or something unknown has it."""
    after = path.events[path.index(backward) + 1 :]
    if backward.how == "scaler":
        return False
    step = next((event for event in after if event.kind == Kind.STEP), None)
    if step is not None and step.how in ("scaler", "engine"):
        return True
    return any(e.kind == Kind.OPAQUE and program.roles.any_of(e.targets, "scaler") for e in path.events)


def _runs_elsewhere(program: Program, region: HalfRegion) -> bool:
    """Autocast on a device without gradient underflow handling of its own, or whose default type the file changes."""
    if region.autocast.devices <= {"cpu", "mps", "xla", "hpu"}:
        return True
    changes = ("torch.set_autocast_gpu_dtype", "torch.set_autocast_dtype")
    return region.autocast.dtype_ref is None and bool(program.calls_to(*changes))


def _message(program: Program, backward: Event, region: HalfRegion) -> str:
    cast = region.autocast
    call = quoted(program, backward.call.node, 40)
    context = quoted(program, cast.value.node)
    if backward.how == "scaler":
        return f"The `GradScaler` of {call} is disabled, and {context} computes the loss in float16."
    chosen = cast.dtype_ref is not None and region.dtypes != frozenset({"float16"})
    dtype_values = program.resolver.resolve(cast.dtype_ref) if cast.dtype_ref is not None else ()
    option = option_name(dtype_values) if chosen else option_name(cast.enabled)
    verb = "may compute" if chosen or (cast.enabled and not region.certain) else "computes"
    why = f" (with {option})" if option else "" if cast.dtype_ref is not None else " (the default of CUDA)"
    return f"{call} has no gradient scaler, and {context} {verb} the loss in float16{why}."


RULE = Rule("DNN101", "missing-grad-scaler", Severity.ERROR, "S3.2.2b", check)

"""Read from a training script, without running it, how it trains: batch size, optimizer, loss, precision, clipping."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dnnlint.estimators.options import OPTIMIZERS, OptimizerSpec, Scalar
from dnnlint.estimators.targets.constants import UNKNOWN, Constants, keyword
from dnnlint.estimators.targets.names import root_name

LOSSES = {
    "CrossEntropyLoss": "cross_entropy",
    "cross_entropy": "cross_entropy",
    "NLLLoss": "nll_loss",
    "nll_loss": "nll_loss",
    "MSELoss": "mse_loss",
    "mse_loss": "mse_loss",
    "L1Loss": "l1_loss",
    "l1_loss": "l1_loss",
    "SmoothL1Loss": "smooth_l1_loss",
    "smooth_l1_loss": "smooth_l1_loss",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits",
    "binary_cross_entropy_with_logits": "binary_cross_entropy_with_logits",
    "BCELoss": "binary_cross_entropy",
    "binary_cross_entropy": "binary_cross_entropy",
}
"""Losses of torch.nn by every name, and the torch.nn.functional function that computes them."""

_BATCH_NAMES = ("batch_size", "BATCH_SIZE", "train_batch_size", "per_device_train_batch_size", "bs")
_MODEL_NAMES = ("model", "net", "network", "student", "generator", "unet", "self")
_AVERAGES = frozenset(
    {"EMA", "ModelEMA", "ModelEma", "ModelEmaV2", "ModelEmaV3", "EMAModel", "AveragedModel", "ExponentialMovingAverage"}
)
_AMP_ROOTS = ("torch", "amp", "cuda", "autocast")
_ACCUMULATION_NAMES = (
    "gradient_accumulation_steps",
    "grad_accumulation_steps",
    "accumulation_steps",
    "accumulate_steps",
    "grad_accum_steps",
    "accum_steps",
    "accum_iter",
    "grad_accum",
    "ACCUM_STEPS",
    "ACCUMULATION_STEPS",
    "GRADIENT_ACCUMULATION_STEPS",
)


@dataclass(frozen=True, slots=True)
class Hint:
    """A value that the file states, and the line that states it."""

    value: Scalar
    line: int


@dataclass(frozen=True, slots=True)
class Hints:
    """What a file says about its training; None where it says nothing that is certain."""

    batch: Hint | None = None
    accumulate: Hint | None = None
    optimizer: OptimizerSpec | None = None
    optimizer_line: int = 0
    loss: Hint | None = None
    precision: Hint | None = None
    clip: Hint | None = None
    zero_grad: Hint | None = None
    doubts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By setting: what the file says about it that only a run would settle."""
    beside: tuple[str, ...] = ()
    """What the file keeps in memory beside one model and its optimizer."""


def read_hints(tree: ast.Module, arguments: Mapping[str, Scalar] | None = None) -> Hints:
    """Collect what the file states in literals, constants and defaults; ``arguments`` replace its options' defaults."""
    constants = Constants(tree, arguments or {})
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    calls.sort(key=lambda node: node.lineno)
    optimizer, line, optimizer_doubts = _optimizer(calls, constants)
    precision, precision_doubts = _precision(calls, constants)
    return Hints(
        batch=_batch(calls, constants),
        accumulate=_whole_number(constants, _ACCUMULATION_NAMES),
        optimizer=optimizer,
        optimizer_line=line,
        loss=_loss(calls),
        precision=precision,
        clip=_clip(calls, constants),
        zero_grad=_zero_grad(calls),
        doubts={"optimizer": optimizer_doubts, "precision": precision_doubts},
        beside=(*_further_optimizers(calls), *_copies(calls)),
    )


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _whole_number(constants: Constants, names: tuple[str, ...]) -> Hint | None:
    for value, line in constants.named(names):
        size = _whole(value)
        if size is not None:
            return Hint(size, line)
    return None


def _batch(calls: list[ast.Call], constants: Constants) -> Hint | None:
    """Prefer the training loader's own batch size, then a constant or command-line default of that name."""
    for call in calls:
        if _name(call) == "DataLoader":
            node = keyword(call, "batch_size") or (call.args[1] if len(call.args) > 1 else None)
            size = _whole(constants.value(node)) if node is not None else None
            if size is not None:
                return Hint(size, call.lineno)
    return _whole_number(constants, _BATCH_NAMES)


def _optimizer(calls: list[ast.Call], constants: Constants) -> tuple[OptimizerSpec | None, int, tuple[str, ...]]:
    """Return the first optimizer of ``torch.optim``, its line, and the arguments that are not known."""
    for call in calls:
        if not _is_optimizer(call):
            continue
        name = _name(call)
        arguments: list[tuple[str, Scalar]] = []
        doubts: list[str] = []
        for item in call.keywords:
            value = constants.value(item.value)
            if item.arg is None or isinstance(value, tuple):
                continue
            if value is None or isinstance(value, (int, float, str)):
                arguments.append((item.arg, value))
            elif item.arg != "lr":
                text = f"{name}({item.arg}={ast.unparse(item.value)}) on line {call.lineno}"
                doubts.append(f"{text} is not known before a run: the optimizer's default is used")
        return OptimizerSpec(name.lower(), tuple(arguments)), call.lineno, tuple(doubts)
    return None, 0, ()


def _is_optimizer(call: ast.Call) -> bool:
    name = _name(call)
    from_torch = isinstance(call.func, ast.Name) or root_name(call.func) in ("torch", "optim", "opt")
    return from_torch and name.lower() in OPTIMIZERS and name[:1].isupper()


def _further_optimizers(calls: list[ast.Call]) -> Iterator[str]:
    """Say that a file trains several models, as a generative adversarial network does."""
    first: dict[str, int] = {}
    for call in calls:
        owner = root_name(call.args[0]) if _is_optimizer(call) and call.args else None
        if owner is not None:
            first.setdefault(owner, call.lineno)
    if len(first) > 1:
        places = ", ".join(f"{owner} (line {line})" for owner, line in first.items())
        yield f"the file makes optimizers for {places}, and one of them is estimated: build_model() can return all"


def _copies(calls: list[ast.Call]) -> Iterator[str]:
    """Say what keeps a second set of weights: averages of a model and copies of it."""
    for call in calls:
        owner = root_name(call.args[0]) if call.args else None
        if owner in _MODEL_NAMES and (_name(call) in _AVERAGES or ast.unparse(call.func).endswith("deepcopy")):
            yield f"what {ast.unparse(call.func)}({owner}) on line {call.lineno} keeps is not part of the estimate"


def _loss(calls: list[ast.Call]) -> Hint | None:
    for call in calls:
        kind = LOSSES.get(_name(call))
        if kind is not None:
            return Hint(kind, call.lineno)
    return None


def _precision(calls: list[ast.Call], constants: Constants) -> tuple[Hint | None, tuple[str, ...]]:
    """Return what the first ``autocast`` that is on computes in; float16 is CUDA's default type."""
    for call in calls:
        if _name(call) != "autocast" or root_name(call.func) not in _AMP_ROOTS or _is_for_cpu(call):
            continue
        enabled = keyword(call, "enabled")
        is_on = True if enabled is None else constants.value(enabled)
        kind = _half(call, constants)
        if is_on is UNKNOWN or (is_on and kind is None):
            text = "the switch of autocast" if is_on is UNKNOWN else "the type of autocast"
            return None, (f"{text} on line {call.lineno} is not known before a run: fp32 is assumed (--precision)",)
        if is_on and kind is not None:
            return Hint(kind, call.lineno), ()
    return None, ()


def _is_for_cpu(call: ast.Call) -> bool:
    device = keyword(call, "device_type") or (call.args[0] if call.args else None)
    return isinstance(device, ast.Constant) and device.value == "cpu"


def _half(call: ast.Call, constants: Constants) -> str | None:
    """Return the precision of an autocast region; None for a type that the file does not spell out."""
    legacy = ast.unparse(call.func).endswith("cuda.amp.autocast")
    node = keyword(call, "dtype") or next((part for part in call.args if _is_type(part)), None)
    if node is None:
        return None if len(call.args) > 1 and not legacy else "amp-fp16"
    text = ast.unparse(constants.resolve(node))
    if text.endswith("bfloat16"):
        return "amp-bf16"
    return "amp-fp16" if text.endswith(("float16", "half")) else None


def _is_type(node: ast.expr) -> bool:
    return ast.unparse(node).endswith(("float16", "half"))


def _clip(calls: list[ast.Call], constants: Constants) -> Hint | None:
    for call in calls:
        if _name(call) == "clip_grad_norm_":
            node = keyword(call, "max_norm") or (call.args[1] if len(call.args) > 1 else None)
            value = constants.value(node) if node is not None else None
            norm = value if isinstance(value, (int, float)) and value > 0 else 1.0
            return Hint(float(norm), call.lineno)
    return None


def _zero_grad(calls: list[ast.Call]) -> Hint | None:
    for call in calls:
        node = keyword(call, "set_to_none")
        if _name(call) == "zero_grad" and isinstance(node, ast.Constant) and node.value is False:
            return Hint("keep", call.lineno)
    return None

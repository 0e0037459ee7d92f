"""Read from a training script, without running it, how it trains: batch size, optimizer, loss, precision, clipping."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from dnnlint.estimators.options import OPTIMIZERS, OptimizerSpec, Scalar
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


@dataclass(frozen=True, slots=True)
class Hint:
    """A value that the file states, and the line that states it."""

    value: Scalar
    line: int


@dataclass(frozen=True, slots=True)
class Hints:
    """What a file says about its training; None where it says nothing that is certain."""

    batch: Hint | None = None
    optimizer: OptimizerSpec | None = None
    optimizer_line: int = 0
    loss: Hint | None = None
    precision: Hint | None = None
    clip: Hint | None = None
    zero_grad: Hint | None = None
    unresolved: tuple[str, ...] = ()


def read_hints(tree: ast.Module) -> Hints:
    """Collect what the file states in literals or module constants."""
    constants = dict(_constants(tree))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    calls.sort(key=lambda node: node.lineno)
    unresolved: list[str] = []
    optimizer, line = _optimizer(calls, constants, unresolved)
    return Hints(
        batch=_batch(tree, calls, constants),
        optimizer=optimizer,
        optimizer_line=line,
        loss=_loss(calls),
        precision=_precision(calls),
        clip=_clip(calls, constants),
        zero_grad=_zero_grad(calls),
        unresolved=tuple(unresolved),
    )


def _constants(tree: ast.Module) -> Iterator[tuple[str, Scalar]]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            value = node.value.value
            for target in node.targets:
                if isinstance(target, ast.Name) and (value is None or isinstance(value, (int, float, str))):
                    yield target.id, value


_UNKNOWN = object()


def _value(node: ast.expr, constants: dict[str, Scalar]) -> object:
    if isinstance(node, ast.Name):
        return constants.get(node.id, _UNKNOWN)
    try:
        return ast.literal_eval(node)
    except ValueError:
        return _UNKNOWN


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _batch(tree: ast.Module, calls: list[ast.Call], constants: dict[str, Scalar]) -> Hint | None:
    """Prefer the training loader's own batch size, then a constant or command-line default of that name."""
    for call in calls:
        if _name(call) == "DataLoader":
            node = _keyword(call, "batch_size")
            size = _whole(_value(node, constants)) if node is not None else None
            if size is not None:
                return Hint(size, call.lineno)
    for assignment in tree.body:
        if isinstance(assignment, ast.Assign) and isinstance(assignment.targets[0], ast.Name):
            name = assignment.targets[0].id
            size = _whole(constants.get(name)) if name in _BATCH_NAMES else None
            if size is not None:
                return Hint(size, assignment.lineno)
    for call in calls:
        if _name(call) == "add_argument" and any(_spells_batch(argument) for argument in call.args):
            node = _keyword(call, "default")
            size = _whole(_value(node, constants)) if node is not None else None
            if size is not None:
                return Hint(size, call.lineno)
    return None


def _spells_batch(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and str(node.value).lstrip("-").replace("-", "_") in _BATCH_NAMES


def _optimizer(
    calls: list[ast.Call], constants: dict[str, Scalar], unresolved: list[str]
) -> tuple[OptimizerSpec | None, int]:
    for call in calls:
        name = _name(call)
        from_torch = isinstance(call.func, ast.Name) or root_name(call.func) in ("torch", "optim", "opt")
        if not from_torch or name.lower() not in OPTIMIZERS or not name[:1].isupper():
            continue
        arguments: list[tuple[str, Scalar]] = []
        for keyword in call.keywords:
            value = _value(keyword.value, constants)
            if keyword.arg is None or isinstance(value, tuple):
                continue
            if value is None or isinstance(value, (int, float, str)):
                arguments.append((keyword.arg, value))
            elif keyword.arg != "lr":
                unresolved.append(f"{name}({keyword.arg}={ast.unparse(keyword.value)}) on line {call.lineno}")
        return OptimizerSpec(name.lower(), tuple(arguments)), call.lineno
    return None, 0


def _loss(calls: list[ast.Call]) -> Hint | None:
    for call in calls:
        kind = LOSSES.get(_name(call))
        if kind is not None:
            return Hint(kind, call.lineno)
    return None


def _precision(calls: list[ast.Call]) -> Hint | None:
    """``autocast`` that is not switched by a variable; float16 is CUDA's default type."""
    for call in calls:
        enabled = _keyword(call, "enabled")
        if _name(call) != "autocast" or not (enabled is None or (isinstance(enabled, ast.Constant) and enabled.value)):
            continue
        types = [ast.unparse(node) for node in (_keyword(call, "dtype"), *call.args) if node is not None]
        if any("cpu" in text for text in types):
            continue
        half = any(text.endswith("bfloat16") for text in types)
        known = half or all(text.endswith(("float16", "half", "'cuda'")) for text in types)
        return Hint("amp-bf16" if half else "amp-fp16", call.lineno) if known else None
    return None


def _clip(calls: list[ast.Call], constants: dict[str, Scalar]) -> Hint | None:
    for call in calls:
        if _name(call) == "clip_grad_norm_":
            node = _keyword(call, "max_norm") or (call.args[1] if len(call.args) > 1 else None)
            value = _value(node, constants) if node is not None else None
            norm = value if isinstance(value, (int, float)) and value > 0 else 1.0
            return Hint(float(norm), call.lineno)
    return None


def _zero_grad(calls: list[ast.Call]) -> Hint | None:
    for call in calls:
        node = _keyword(call, "set_to_none")
        if _name(call) == "zero_grad" and isinstance(node, ast.Constant) and node.value is False:
            return Hint("keep", call.lineno)
    return None

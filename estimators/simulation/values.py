"""Values that survive on the simulated device, and placeholders for those that do not.

Small integer and boolean tensors keep their real values on the host beside them, so that ``mask.all()``, sequence
lengths and positions take the branch they would take on CUDA. Everything else is a placeholder, and noted.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch._ops import OpOverload

SHADOW_LIMIT = 1 << 17
"""Largest number of elements whose values are kept."""

CPU = torch.device("cpu")
_ATTRIBUTE = "_dnnlint_value"
_TORCH_FOLDER = str(Path(torch.__file__).parent)


def value_of(tensor: torch.Tensor) -> torch.Tensor | None:
    """Return the real values of a tensor, where they are known."""
    if not tensor.is_meta:
        return tensor
    return getattr(tensor, _ATTRIBUTE, None)


def remember(tensor: torch.Tensor, value: torch.Tensor | None) -> None:
    """Keep ``value`` as the content of ``tensor``, or forget it."""
    setattr(tensor, _ATTRIBUTE, value)


def keeps_values(tensor: torch.Tensor) -> bool:
    """Say whether a tensor is of the kind whose values are kept."""
    dtype = tensor.dtype
    return not dtype.is_floating_point and not dtype.is_complex and tensor.numel() <= SHADOW_LIMIT


class _UnknownValue(Exception):
    """An argument has no known value."""


def follow(function: OpOverload, arguments: Sequence[object], options: Mapping[str, object], result: object) -> None:
    """Compute the values of a result from those of the arguments, where all are known."""
    if not isinstance(result, torch.Tensor) or not result.is_meta or not keeps_values(result):
        return
    value = compute(function, arguments, options)
    if isinstance(value, torch.Tensor) and value.shape == result.shape:
        remember(result, value)


def follow_in_place(function: OpOverload, arguments: Sequence[object], options: Mapping[str, object]) -> None:
    """Change the kept values of the first argument as the operator would, or forget them."""
    target = arguments[0]
    known = isinstance(target, torch.Tensor) and target.is_meta and getattr(target, _ATTRIBUTE, None) is not None
    if known and compute(function, arguments, options) is None:
        setattr(target, _ATTRIBUTE, None)


def compute(function: OpOverload, arguments: Sequence[object], options: Mapping[str, object]) -> object | None:
    """Run an operator on the known values; ``None`` when one is unknown or the operator refuses."""
    try:
        known = [_known(argument) for argument in arguments]
        known_options = {name: _known(option) for name, option in options.items()}
        with torch.no_grad():
            result: object = function(*known, **known_options)
            return result
    except (_UnknownValue, RuntimeError, TypeError, ValueError, IndexError):
        return None


def _known(argument: object) -> object:
    if isinstance(argument, torch.Tensor):
        value = value_of(argument)
        if value is None:
            raise _UnknownValue
        return value
    if isinstance(argument, (list, tuple)):
        return type(argument)([_known(item) for item in argument])
    if isinstance(argument, torch.device):
        return CPU
    return argument


def placeholder(dtype: torch.dtype, origin: str) -> bool | int | float:
    """Return the number that stands for an unknown one: all masks are full, losses 0, counts 1."""
    if dtype is torch.bool:
        return origin in ("aten::all", "aten::isfinite")
    return 0.0 if dtype.is_floating_point else 1


EXPECTED_READERS = ("grad_scaler.py", "optimizer.py")
"""Files of PyTorch that read a value whose placeholder is right: no gradient overflows, steps count on."""


def caller() -> str | None:
    """Return ``file:line`` of the innermost frame outside PyTorch and this package; ``None`` for expected readers."""
    frame = sys._getframe(1)
    here = str(Path(__file__).parent.parent)
    while frame.f_back is not None:
        name = frame.f_code.co_filename
        if name.startswith(_TORCH_FOLDER) and name.endswith(EXPECTED_READERS):
            return None
        if not name.startswith((_TORCH_FOLDER, here, "<")):
            return f"{Path(name).name}:{frame.f_lineno}"
        frame = frame.f_back
    return "unknown place"

"""Branches that PyTorch takes on ``is_cuda`` in C++, taken for meta tensors as well.

Registered at ``AutogradMeta``, so that they apply before composite operators are decomposed. Sources:
``ATen/native/Dropout.cpp``, ``SoftMax.cpp``, ``layer_norm.cpp`` and ``RNN.cpp`` of PyTorch 2.14.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch.library import Library

from dnnlint.estimators.simulation.recurrent import RECURRENT_OVERRIDES

aten = torch.ops.aten
KEY = "AutogradMeta"


def _dropout(source: torch.Tensor, p: float, train: bool) -> torch.Tensor:
    """CUDA keeps a boolean mask (``native_dropout``)."""
    if not train or p == 0 or source.numel() == 0:
        return source
    if p < 1:
        result: torch.Tensor = aten.native_dropout.default(source, p, train)[0]
        return result
    return source * torch.zeros((), dtype=source.dtype, device=source.device)


def _fused_half(operator: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """CUDA converts half input inside the softmax kernel when float32 is asked for."""

    def softmax(source: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
        if source.dtype is torch.half and dtype is torch.float32:
            return operator(source, dim, True)
        return operator(source if dtype is None else source.to(dtype), dim, False)

    return softmax


class _FusedRmsNorm(torch.autograd.Function):
    """``_fused_rms_norm``: keeps one float for every row."""

    @staticmethod
    def forward(
        ctx: torch.autograd.function.FunctionCtx, source: torch.Tensor, weight: torch.Tensor | None, dims: int
    ) -> torch.Tensor:
        """Return the normalised tensor."""
        result = torch.empty(source.shape, dtype=source.dtype, device=source.device)
        rows = (*source.shape[: source.dim() - dims], *(1,) * dims)
        deviation = torch.empty(rows, dtype=torch.float32, device=source.device)
        ctx.save_for_backward(source, weight, deviation)  # type: ignore[arg-type]
        return result

    @staticmethod
    def backward(
        ctx: torch.autograd.function.FunctionCtx, *gradients: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor | None, None]:
        """Return the gradients of input and weight."""
        source, weight, _ = ctx.saved_tensors  # type: ignore[attr-defined]
        made = torch.empty(source.shape, dtype=source.dtype, device=source.device)
        return made, None if weight is None else torch.empty_like(weight), None


def _linear(source: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """One kernel for flat and contiguous input, else a product and an addition in place (``Linear.cpp``)."""
    if bias is not None and source.dim() == 2:
        return torch.addmm(bias, source, weight.t())
    if bias is not None and source.dim() > 2 and source.is_contiguous():
        flat = torch.addmm(bias, source.reshape(-1, source.size(-1)), weight.t())
        return flat.view(*source.shape[:-1], flat.size(-1))
    result = torch.matmul(source, weight.t())
    return result if bias is None else result.add_(bias)


def _rms_norm(
    source: torch.Tensor, shape: Sequence[int], weight: torch.Tensor | None = None, eps: float | None = None
) -> torch.Tensor:
    if weight is None or weight.dtype is source.dtype:
        fused: torch.Tensor = _FusedRmsNorm.apply(source, weight, len(shape))  # type: ignore[no-untyped-call]
        return fused
    result: torch.Tensor = aten._fused_rms_norm.default(source, shape, weight, eps)[0]
    return result


def install(library: Library) -> None:
    """Register the overrides for as long as ``library`` lives."""
    library.impl("dropout", _dropout, KEY)
    library.impl("softmax.int", _fused_half(aten._softmax.default), KEY)
    library.impl("log_softmax.int", _fused_half(aten._log_softmax.default), KEY)
    library.impl("linear", _linear, KEY)
    if hasattr(aten, "_fused_rms_norm"):
        library.impl("rms_norm", _rms_norm, KEY)
    for name, override in RECURRENT_OVERRIDES.items():
        library.impl(name, override, KEY)

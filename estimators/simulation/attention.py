"""The kernel that scaled_dot_product_attention takes on a CUDA device.

Follows ``ATen/native/transformers/cuda/sdp_utils.cpp`` and ``attention.cpp`` of PyTorch 2.14.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.nn import functional

from dnnlint.estimators.simulation.device import Attention, SimulatedDevice

aten = torch.ops.aten
HALVES = (torch.float16, torch.bfloat16)

FLASH_LARGEST_HEAD = 256
"""``check_head_dim_size_flash``."""

FLASH_MULTIPLE = 8
"""Head sizes are padded to it before the flash kernel."""

CUDNN_LARGEST_HEAD = 128
"""``check_cudnn_tensor_shapes``; 256 itself is allowed, and any size up to it without gradients."""

BIAS_MULTIPLE = 16
"""The rows of an attention bias are padded to it before the efficient kernel (``pad_bias``)."""


@dataclass(frozen=True, slots=True)
class _Call:
    """Arguments that decide the kernel."""

    query: torch.Tensor
    key: torch.Tensor
    value: torch.Tensor
    mask: torch.Tensor | None
    dropout: float
    causal: bool
    grouped: bool

    @property
    def needs_grad(self) -> bool:
        return torch.is_grad_enabled() and any(t.requires_grad for t in (self.query, self.key, self.value))

    @property
    def heads(self) -> tuple[int, int, int]:
        return self.query.size(-1), self.key.size(-1), self.value.size(-1)


def choose(call: _Call, device: SimulatedDevice, wanted: Attention) -> Attention:
    """Return the first kernel in PyTorch's order that is enabled and can take the call."""
    checks = {Attention.FLASH: _flash_fits, Attention.EFFICIENT: _efficient_fits, Attention.CUDNN: _cudnn_fits}
    for kernel in _order(device):
        if wanted not in (Attention.AUTO, kernel) or not _enabled(kernel):
            continue
        if checks[kernel](call, device):
            return kernel
    return Attention.MATH


def _order(device: SimulatedDevice) -> tuple[Attention, ...]:
    if device.compute_capability in ((9, 0), (10, 0), (10, 3)):
        return Attention.CUDNN, Attention.FLASH, Attention.EFFICIENT
    return Attention.FLASH, Attention.EFFICIENT, Attention.CUDNN


def _enabled(kernel: Attention) -> bool:
    if kernel is Attention.FLASH:
        return bool(torch.backends.cuda.flash_sdp_enabled())
    if kernel is Attention.EFFICIENT:
        return bool(torch.backends.cuda.mem_efficient_sdp_enabled())
    return bool(torch.backends.cuda.cudnn_sdp_enabled())


def _dense(call: _Call) -> bool:
    tensors = (call.query, call.key, call.value)
    return all(t.dim() == 4 and t.size(-2) > 0 and t.stride(-1) == 1 for t in tensors)


def _equal_batch_and_heads(call: _Call, grouped_allowed: bool) -> bool:
    q, k, v = call.query, call.key, call.value
    if not q.size(0) == k.size(0) == v.size(0):
        return False
    if q.size(1) == k.size(1) == v.size(1):
        return True
    return grouped_allowed and call.grouped and k.size(1) == v.size(1) and q.size(1) % k.size(1) == 0


def _flash_fits(call: _Call, device: SimulatedDevice) -> bool:
    query, key, value = call.heads
    return (
        device.compute_capability >= (8, 0)
        and call.query.dtype in HALVES
        and call.mask is None
        and query == key == value <= FLASH_LARGEST_HEAD
        and _dense(call)
        and _equal_batch_and_heads(call, True)
    )


def _efficient_fits(call: _Call, device: SimulatedDevice) -> bool:
    dtype = call.query.dtype
    allowed = (torch.float32, *HALVES) if device.compute_capability >= (8, 0) else (torch.float32, torch.float16)
    query, _, value = call.heads
    multiple = _gemm_multiple(dtype, device)
    return (
        dtype in allowed
        and query % multiple == 0
        and value % multiple == 0
        and not (call.causal and call.mask is not None)
        and _dense(call)
        and _equal_batch_and_heads(call, True)
    )


def _gemm_multiple(dtype: torch.dtype, device: SimulatedDevice) -> int:
    """``minimum_gemm_alignment``: elements in 128 bits with tensor cores."""
    half = dtype in HALVES
    major = device.compute_capability[0]
    if major >= 8 or (major == 7 and half):
        return 8 if half else 4
    return 1


def _cudnn_fits(call: _Call, device: SimulatedDevice) -> bool:
    query, key, value = call.heads
    size = max(query, value)
    return (
        device.compute_capability >= (8, 0)
        and call.query.dtype in HALVES
        and query == key
        and query % 8 == 0
        and value % 8 == 0
        and (size <= CUDNN_LARGEST_HEAD or (size <= 256 and (size == 256 or not call.needs_grad)))
        and call.dropout == 0
        and not (call.mask is not None and call.mask.requires_grad)
        and not (call.causal and call.mask is not None)
        and _dense(call)
        and _equal_batch_and_heads(call, True)
    )


def override(device: SimulatedDevice, wanted: Attention) -> Callable[..., torch.Tensor]:
    """Return the implementation of scaled_dot_product_attention for ``device``."""

    def attention(
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        attn_mask: torch.Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> torch.Tensor:
        flat = query.dim() == 3
        if flat:
            query, key, value = query.unsqueeze(0), key.unsqueeze(0), value.unsqueeze(0)
        call = _Call(query, key, value, attn_mask, dropout_p, is_causal, enable_gqa)
        result = _KERNELS[choose(call, device, wanted)](call, scale)
        return result.squeeze(0) if flat else result

    return attention


def _float_mask(mask: torch.Tensor | None, dtype: torch.dtype) -> torch.Tensor | None:
    """Turn a boolean mask into an additive one (``convert_boolean_attn_mask``)."""
    if mask is None or mask.dtype is not torch.bool:
        return mask
    lowest = torch.full((), float("-inf"), dtype=dtype, device=mask.device)
    return torch.where(mask, torch.zeros((), dtype=dtype, device=mask.device), lowest)


def _flash(call: _Call, scale: float | None) -> torch.Tensor:
    size = call.query.size(-1)
    scale = size**-0.5 if scale is None else scale
    q, k, v = call.query, call.key, call.value
    if size % FLASH_MULTIPLE:
        padding = (0, FLASH_MULTIPLE - size % FLASH_MULTIPLE)
        q, k, v = (functional.pad(t, padding) for t in (q, k, v))
    result: torch.Tensor = aten._scaled_dot_product_flash_attention.default(
        q, k, v, call.dropout, call.causal, False, scale=scale
    )[0]
    return result[..., :size] if size % FLASH_MULTIPLE else result


def _efficient(call: _Call, scale: float | None) -> torch.Tensor:
    mask = _float_mask(call.mask, call.query.dtype)
    if mask is not None:
        mask = _padded_bias(mask)
        mask = mask.expand(call.query.size(0), call.query.size(1), call.query.size(2), call.key.size(2))
    result: torch.Tensor = aten._scaled_dot_product_efficient_attention.default(
        call.query, call.key, call.value, mask, call.needs_grad, call.dropout, call.causal, scale=scale
    )[0]
    return result


def _padded_bias(mask: torch.Tensor) -> torch.Tensor:
    length = mask.size(-1)
    if mask.stride(-1) == 1 and all(stride % BIAS_MULTIPLE == 0 for stride in mask.stride()[:-1]):
        return mask
    return functional.pad(mask, (0, BIAS_MULTIPLE - length % BIAS_MULTIPLE))[..., :length]


def _cudnn(call: _Call, scale: float | None) -> torch.Tensor:
    result: torch.Tensor = aten._scaled_dot_product_cudnn_attention.default(
        call.query,
        call.key,
        call.value,
        _float_mask(call.mask, call.query.dtype),
        call.needs_grad,
        call.dropout,
        call.causal,
        False,
        scale=scale,
    )[0]
    return result


def _math(call: _Call, scale: float | None) -> torch.Tensor:
    mask = _float_mask(call.mask, call.query.dtype)
    result: torch.Tensor = aten._scaled_dot_product_attention_math.default(
        call.query, call.key, call.value, mask, call.dropout, call.causal, None, scale=scale, enable_gqa=call.grouped
    )[0]
    return result


_KERNELS: dict[Attention, Callable[[_Call, float | None], torch.Tensor]] = {
    Attention.FLASH: _flash,
    Attention.EFFICIENT: _efficient,
    Attention.CUDNN: _cudnn,
    Attention.MATH: _math,
}

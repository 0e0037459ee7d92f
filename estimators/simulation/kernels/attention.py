"""Scratch memory of the attention kernels.

Sources: ``ATen/native/transformers/cuda/attention.cu``, ``attention_backward.cu``, ``flash_attn/flash_api.cpp`` and
``mem_eff_attention/kernel_backward.h`` of PyTorch 2.14; the tile sizes were read off the sizes that these take.
"""

from __future__ import annotations

from math import ceil

import torch

from dnnlint.estimators.simulation.kernels.scratch import Call, Rule, Scratch, size_of

FLOAT_BYTES = 4
RNG_STATE_BYTES = 16
HALVES = (torch.float16, torch.bfloat16)


def _up(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple


def _contiguous_copy(tensor: torch.Tensor) -> list[int]:
    return [] if tensor.transpose(1, 2).is_contiguous() else [size_of(tensor)]


def _flash_forward(call: Call) -> Scratch:
    """Buffers of split keys when the heads are too few for the device; a second random state with dropout."""
    query, key = call.tensor(0), call.tensor(1)
    if float(call.option(3, "dropout_p", 0.0)) > 0:  # type: ignore[arg-type]
        return Scratch((), (RNG_STATE_BYTES, ~0))
    splits = _flash_splits(query, key, call.device.multiprocessors)
    if splits == 1:
        return Scratch()
    batch, heads, length, size = query.shape
    rows = splits * batch * heads * length * FLOAT_BYTES
    return Scratch((), (rows, rows * _flash_head(size), ~0, ~1))


def _flash_head(size: int) -> int:
    return _up(size, 32) if size <= 128 else _up(size, 64)


def _flash_splits(query: torch.Tensor, key: torch.Tensor, multiprocessors: int) -> int:
    """``num_splits_heuristic``: the fewest splits that come within 85 % of the best use of the device."""
    batch, heads, length, size = query.shape
    keys = key.size(2)
    block = 256 if size <= 64 else 128 if size <= 128 else 64
    blocks, work = -(-keys // block), batch * heads * -(-length // 64)
    processors = 2 * multiprocessors
    if work >= 0.8 * processors:
        return 1
    efficiency: dict[int, float] = {}
    for splits in range(1, min(128, processors, blocks) + 1):
        if splits == 1 or -(-blocks // splits) != -(-blocks // (splits - 1)):
            waves = work * splits / processors
            efficiency[splits] = waves / ceil(waves)
    best = max(efficiency.values(), default=0.0)
    return next((splits for splits, value in efficiency.items() if value >= 0.85 * best), 1)


def _flash_backward(call: Call) -> Scratch:
    gradient, query, key, value, out = (call.tensor(index) for index in range(5))
    batch, heads, length, size = query.shape
    rounded = _up(length, 128)
    delta = batch * heads * rounded * FLOAT_BYTES
    copies = (*_contiguous_copy(gradient), *_contiguous_copy(out))
    after = [delta, delta * _flash_head(size)]
    if key.size(1) != heads:
        after += [size_of(key) // key.size(1) * heads, size_of(value) // value.size(1) * heads]
    return Scratch(copies, tuple(after))


def _tiles(dtype: torch.dtype, size: int, capability: tuple[int, int]) -> tuple[int, int]:
    """Return rows and columns of the query gradient that one block of the efficient kernel holds."""
    shared_memory_is_large = capability[0] in (9, 10) or capability in ((8, 0), (8, 7))
    if size <= 64:
        return 64, 64
    if dtype not in HALVES:
        return (128, 64) if shared_memory_is_large else (64, 64)
    if size <= 128 and shared_memory_is_large:
        return 128, 128
    if 96 < size <= 128 and capability[0] >= 8:
        return 64, 64
    return 128, 64


def _efficient_workspace(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, call: Call) -> int:
    """``workspace_strideBH``: partial query gradients with a lock each, key and value gradients in float."""
    batch, heads, length, size = query.shape
    rows, columns = _tiles(query.dtype, max(size, value.size(-1)), call.device.compute_capability)
    elements = -(-length // rows) * -(-size // columns) * (rows * columns + 4)
    if query.dtype in HALVES and max(size, value.size(-1)) > (128 if rows == 128 else 64):
        keys = _up(key.size(2), 64)
        widths = (
            (_up(size, rows) + _up(value.size(-1), rows)) if rows == 128 else (_up(size, 64) + _up(value.size(-1), 64))
        )
        elements += keys * widths
    return batch * heads * _up(elements, 4) * FLOAT_BYTES


def _efficient_forward(call: Call) -> Scratch:
    """A float output buffer for half inputs with large heads."""
    query, value = call.tensor(0), call.tensor(2)
    if query.dtype in HALVES and value.size(-1) > 128:
        batch, heads, length, _ = query.shape
        return Scratch((), (batch * heads * length * value.size(-1) * FLOAT_BYTES, ~0))
    return Scratch()


def _efficient_backward(call: Call) -> Scratch:
    gradient, query, key, value = (call.tensor(index) for index in range(4))
    batch, heads, length, _ = query.shape
    delta = batch * heads * length * FLOAT_BYTES
    before = _contiguous_copy(gradient)
    after: list[int] = []
    if key.size(1) != heads:
        after += [size_of(key) // key.size(1) * heads, size_of(value) // value.size(1) * heads]
    base = len(before) + len(after)
    if query.dtype in HALVES:
        after += [delta]
        kept = base
    else:
        product = batch * heads * length * value.size(-1) * FLOAT_BYTES
        after += [product, delta, delta, ~(base + 1), ~base]
        kept = base + 2
    after += [_efficient_workspace(query, key, value, call), ~kept]
    return Scratch(tuple(before), tuple(after))


def _cudnn_backward(call: Call) -> Scratch:
    """Query gradients in float and one sum for every row."""
    query = call.tensor(1)
    batch, heads, length, size = query.shape
    return Scratch((), (batch * heads * length * (size + 1) * FLOAT_BYTES, ~0))


ATTENTION_RULES: dict[str, Rule] = {
    "aten::_scaled_dot_product_flash_attention": _flash_forward,
    "aten::_scaled_dot_product_flash_attention_backward": _flash_backward,
    "aten::_scaled_dot_product_efficient_attention": _efficient_forward,
    "aten::_scaled_dot_product_efficient_attention_backward": _efficient_backward,
    "aten::_scaled_dot_product_cudnn_attention_backward": _cudnn_backward,
}

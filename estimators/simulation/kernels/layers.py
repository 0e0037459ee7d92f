"""Scratch memory of normalisations, embeddings, convolutions and softmax."""

from __future__ import annotations

import torch

from dnnlint.estimators.simulation.kernels.scratch import NOTHING, Call, Rule, Scratch, in_turn, size_of, together
from dnnlint.estimators.simulation.kernels.sums import reduced
from dnnlint.estimators.simulation.shapes import META

INDEX_BYTES = 8
FLOAT_BYTES = 4

SORTED_FROM = 3073
"""Embedding gradients of fewer rows are summed without sorting (``num_indices <= 3072``)."""

ROWS_PER_PARTIAL_SEGMENT = 10
"""``NROWS_PER_THREAD`` of ``EmbeddingBackwardKernel.cu``."""

LAYER_NORM_ROWS = 64 * 1024
"""From here on the gradients of weight and bias are summed in two passes (``layer_norm_kernel.cu``)."""

LAYER_NORM_BLOCK = 32
LAYER_NORM_GRID = 64 * 1024 // 2


def copies(*tensors: torch.Tensor | None) -> tuple[int, ...]:
    """Return the sizes of contiguous copies that a kernel makes of its arguments."""
    return tuple(size_of(t) for t in tensors if t is not None and not t.is_contiguous())


def _layer_norm(call: Call) -> Scratch:
    return Scratch(copies(call.tensor(0)))


def _layer_norm_backward(call: Call) -> Scratch:
    """``LaunchGammaBetaBackwardCUDAKernel``: partial sums of many rows, then a reduction of each."""
    gradient, source, shape = call.tensor(0), call.tensor(1), call.args[2]
    assert isinstance(shape, (list, tuple))
    columns = 1
    for length in shape:
        columns *= int(length)
    rows = source.numel() // max(columns, 1)
    before = copies(gradient, source)
    wide = columns // LAYER_NORM_BLOCK >= call.device.multiprocessors // 2
    weight = call.args[5]
    if rows <= LAYER_NORM_ROWS or wide or not isinstance(weight, torch.Tensor):
        return Scratch(before)
    blocks = min(LAYER_NORM_GRID // -(-columns // LAYER_NORM_BLOCK), -(-rows // LAYER_NORM_BLOCK))
    partial = torch.empty((blocks, columns), dtype=weight.dtype, device=META)
    first = len(before)
    after = [size_of(partial)] * 2
    taken = first + 2
    for _ in range(2):
        sums = reduced(call, partial, [0])
        after += [size_of(weight), *together(sums, taken + 1), ~taken]
        taken += 1 + len(sums)
    return Scratch(before, tuple(after))


def _embedding(call: Call) -> Scratch:
    return Scratch(copies(call.tensor(1)))


def _embedding_backward(call: Call) -> Scratch:
    """Indices sorted, then summed by segments (``embedding_dense_backward_cuda``)."""
    gradient, indices, rows = call.tensor(0), call.tensor(1), call.args[2]
    assert isinstance(rows, int)
    count = indices.numel()
    before = copies(indices, gradient)
    if count < SORTED_FROM:
        return Scratch(before)
    sort = _sort_bytes(count, rows, call.device.compute_capability)
    row = INDEX_BYTES * count
    base = len(before)
    # sorted and original positions stay; the range and the sort buffer go before the gradient is made
    opening = (row, row, row, sort)
    segments = min(count, rows)
    partials = count // ROWS_PER_PARTIAL_SEGMENT + segments
    scan = 1024 + 16 * (count // 1216)
    width = gradient.size(-1)
    start = base + 4
    steps = [row, INDEX_BYTES, row, scan, ~(start + 3), ~(start + 2)]
    steps += [INDEX_BYTES * segments] * 2 + [scan, ~(start + 6), INDEX_BYTES, INDEX_BYTES * partials]
    steps += [FLOAT_BYTES * partials * width]
    return Scratch((*before, *opening, ~(base + 3), ~(base + 2)), tuple(steps))


def _sort_tile(capability: tuple[int, int]) -> int:
    """Keys that one block of the sort takes (cub's tuning policies; read off the buffer sizes)."""
    return 2816 if capability < (8, 0) else 3840 if capability < (9, 0) else 4608


def _sort_bytes(count: int, values: int, capability: tuple[int, int]) -> int:
    """Buffer of cub's radix sort of 64-bit keys and positions: histograms, tile states and, for more passes, copies."""
    passes = max(1, -(-max(values - 1, 1).bit_length() // 8))
    keys = -(-INDEX_BYTES * count // 256) * 256
    return 511 + 2048 * passes + 1024 * -(-count // _sort_tile(capability)) + (2 * keys if passes > 1 else 0)


def _softmax_backward(call: Call) -> Scratch:
    """The product of gradient and output (``softmax_backward_cuda_out``)."""
    gradient, output = call.tensor(0), call.tensor(1)
    width = max(gradient.element_size(), output.element_size())
    return Scratch((), (gradient.numel() * width, ~0))


def is_channels_last(tensor: torch.Tensor) -> bool:
    """Say whether a tensor is laid out as NHWC and not also as NCHW."""
    return tensor.dim() == 4 and not tensor.is_contiguous() and tensor.is_contiguous(memory_format=torch.channels_last)


def is_depthwise(source: torch.Tensor, weight: torch.Tensor, groups: int, transposed: bool) -> bool:
    """Say whether a convolution is computed by PyTorch's own depthwise kernel (``use_cudnn_depthwise`` aside)."""
    return (
        source.dim() == 4
        and not transposed
        and groups > 1
        and source.size(1) == groups
        and weight.size(0) % groups == 0
    )


def _as_channels_last(tensors: tuple[torch.Tensor, ...], last: bool) -> tuple[int, ...]:
    wanted = torch.channels_last if last else torch.contiguous_format
    return tuple(size_of(t) for t in tensors if not t.is_contiguous(memory_format=wanted))


def _convolution(call: Call) -> Scratch:
    """Input and weight copied to the memory format of the convolution where they have another."""
    source, weight = call.tensor(0), call.tensor(1)
    if source.dim() != 4:
        return Scratch(copies(source), in_turn(*copies(weight)))
    last = is_channels_last(source) or is_channels_last(weight)
    before = _as_channels_last((source,), last)
    after = _as_channels_last((weight,), last)
    return Scratch(before, together(after, len(before)))


def _convolution_backward(call: Call) -> Scratch:
    gradient, source, weight, bias = call.tensor(0), call.tensor(1), call.tensor(2), call.args[3]
    last = is_channels_last(source) or is_channels_last(weight)
    before = _as_channels_last((gradient, source), last) if gradient.dim() == 4 else copies(gradient, source)
    mask = call.args[-1]
    if not bias or not isinstance(mask, (list, tuple)) or not mask[2]:
        return Scratch(before)
    sums = reduced(call, gradient, [0, *range(2, gradient.dim())])
    return Scratch(before, together(sums, len(before)))


def _foreach_norm(call: Call) -> Scratch:
    """One partial norm for every 65,536 elements of the longest tensor, for every tensor (``ForeachReduceOp.cu``)."""
    tensors = call.args[0]
    assert isinstance(tensors, (list, tuple))
    chunks = max(-(-t.numel() // 65536) for t in tensors)
    return Scratch((FLOAT_BYTES * len(tensors) * chunks,))


def _loss(call: Call) -> Scratch:
    """The losses of all elements, before they are averaged."""
    source, reduction = call.tensor(0), call.option(2, "reduction", 1)
    return Scratch((), (size_of(source), ~0)) if reduction else NOTHING


def _roll(call: Call) -> Scratch:
    """One intermediate result for every further dimension."""
    dims = call.option(2, "dims", ())
    assert isinstance(dims, (list, tuple))
    return Scratch((size_of(call.tensor(0)),) * max(0, len(dims) - 1))


def _group_norm(call: Call) -> Scratch:
    """Scale and shift of every channel of every sample."""
    samples, channels = call.args[3], call.args[4]
    assert isinstance(samples, int)
    assert isinstance(channels, int)
    source = call.tensor(0)
    before = copies(source)
    groups = call.args[6]
    assert isinstance(groups, int)
    halves = [FLOAT_BYTES * samples * groups] * 2 if source.element_size() < FLOAT_BYTES else []
    return Scratch(before, together([*halves, *[FLOAT_BYTES * samples * channels] * 2], len(before)))


def _group_norm_backward(call: Call) -> Scratch:
    samples, channels, groups = (int(call.args[index]) for index in (5, 6, 8))  # type: ignore[call-overload]
    by_channel, by_group = FLOAT_BYTES * samples * channels, FLOAT_BYTES * samples * groups
    before = copies(call.tensor(0), call.tensor(1))
    first = len(before)
    return Scratch(before, (by_channel, by_channel, by_group, by_group, by_channel, ~(first + 2), ~(first + 3)))


def _index_put(call: Call) -> Scratch:
    """Positions, their sorted copies and the sort's buffer, for sums into repeated places."""
    indices, accumulate = call.args[1], call.option(3, "accumulate", False)
    if not accumulate or not isinstance(indices, (list, tuple)):
        return NOTHING
    known = [i for i in indices if isinstance(i, torch.Tensor)]
    count = max((i.numel() for i in known), default=0)
    row = INDEX_BYTES * count
    sort = _sort_bytes(count, call.tensor(0).numel(), call.device.compute_capability)
    return Scratch((), (row, row, ~0, row, row, row, sort))


def _logsumexp(call: Call) -> Scratch:
    """Maxima of the rows, then the exponentials."""
    source = call.tensor(0)
    dims = call.args[1]
    assert isinstance(dims, (list, tuple))
    rows = source.numel() * source.element_size()
    for dim in dims:
        rows //= max(1, source.size(int(dim)))
    return Scratch((), (rows, rows, ~0, ~1, size_of(source), rows))


LAYER_RULES: dict[str, Rule] = {
    "aten::native_layer_norm": _layer_norm,
    "aten::native_layer_norm_backward": _layer_norm_backward,
    "aten::embedding": _embedding,
    "aten::embedding_dense_backward": _embedding_backward,
    "aten::_softmax_backward_data": _softmax_backward,
    "aten::convolution": _convolution,
    "aten::convolution_backward": _convolution_backward,
    "aten::_foreach_norm": _foreach_norm,
    "aten::mse_loss": _loss,
    "aten::smooth_l1_loss": _loss,
    "aten::roll": _roll,
    "aten::native_group_norm": _group_norm,
    "aten::native_group_norm_backward": _group_norm_backward,
    "aten::index_put": _index_put,
    "aten::index_put_": _index_put,
    "aten::_index_put_impl_": _index_put,
    "aten::logsumexp": _logsumexp,
}

"""Scratch memory of reductions that several thread blocks share.

Follows ``setReduceConfig`` in ``ATen/native/cuda/Reduce.cuh`` and the reordering of dimensions in
``ATen/TensorIterator.cpp`` (PyTorch 2.14). Such a reduction needs a buffer for partial results and semaphores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

MAX_THREADS = 512
"""``MAX_NUM_THREADS`` of a reduction block."""

WARP = 32
MIN_VALUES_PER_THREAD = 16
MAX_VALUES_PER_THREAD = 256
VALUES_AT_ONCE = 4
"""``vt0`` and ``input_vec_size`` of most reductions."""

SEMAPHORE_BYTES = 4


@dataclass(frozen=True, slots=True)
class Processors:
    """What of a device decides how a reduction is split."""

    multiprocessors: int
    threads_per_multiprocessor: int


@dataclass(frozen=True, slots=True)
class Reduction:
    """A reduction over ``dims`` of an input; sizes and strides in elements."""

    shape: Sequence[int]
    stride: Sequence[int]
    dims: Sequence[int]
    element_bytes: int
    accumulator_bytes: int
    values_at_once: int = VALUES_AT_ONCE
    input_vector: int = VALUES_AT_ONCE


@dataclass(slots=True)
class _Dim:
    size: int
    stride: int
    out_stride: int
    reduced: bool


@dataclass(slots=True)
class _Config:
    outputs: int
    inputs: int
    block_width: int = 1
    block_height: int = 1
    output_vector: int = 1
    step_input: int = 1
    step_output: int = 1
    splits_block_x: bool = False
    splits_block_y: bool = False
    blocks_per_output: int = 1
    splits_grid: bool = field(default=False)

    @property
    def values_per_thread(self) -> int:
        return -(-self.inputs // self.step_input)

    @property
    def grid(self) -> int:
        return -(-(self.outputs // self.output_vector) // self.step_output)


def scratch_bytes(reduction: Reduction, processors: Processors) -> list[int]:
    """Return the sizes of the buffer for partial results and of the semaphores; empty when one block suffices."""
    count = 1
    for size in reduction.shape:
        count *= size
    if count == 0:
        return []
    dims = _iteration_dims(reduction)
    config = _configure(reduction, dims, processors)
    if not config.splits_grid:
        return []
    buffer = reduction.accumulator_bytes * config.outputs * config.blocks_per_output
    if not config.splits_block_x:
        buffer *= config.block_width * config.output_vector
    return [buffer, SEMAPHORE_BYTES * config.grid]


def _iteration_dims(reduction: Reduction) -> list[_Dim]:
    """Return the dimensions as the iterator sees them: reduced ones first, then by stride, merged where possible."""
    reduced = {dim % len(reduction.shape) for dim in reduction.dims} if reduction.shape else set()
    dims: list[_Dim] = []
    out_stride = 1
    for index in range(len(reduction.shape) - 1, -1, -1):
        size, stride = reduction.shape[index], reduction.stride[index]
        dims.append(_Dim(size, stride, 0 if index in reduced else out_stride, index in reduced))
        if index not in reduced:
            out_stride *= size
    return _merged(_sorted(dims))


def _sorted(dims: list[_Dim]) -> list[_Dim]:
    """Insertion sort of ``reorder_dimensions``, fastest dimension first."""
    order = list(dims)
    for position in range(1, len(order)):
        current = position
        for other in range(position - 1, -1, -1):
            comparison = _should_swap(order[other], order[current])
            if comparison > 0:
                order[other], order[current] = order[current], order[other]
                current = other
            elif comparison < 0:
                break
    return order


def _should_swap(first: _Dim, second: _Dim) -> int:
    if first.reduced != second.reduced:
        return 1 if second.reduced else -1
    for one, other in ((first.out_stride, second.out_stride), (first.stride, second.stride)):
        if one == 0 or other == 0:
            continue
        if one != other:
            return 1 if one > other else -1
        if first.size > second.size:
            return 1
    return 0


def _merged(dims: list[_Dim]) -> list[_Dim]:
    merged: list[_Dim] = []
    for dim in dims:
        if merged:
            last = merged[-1]
            fits = last.size * last.stride == dim.stride and last.size * last.out_stride == dim.out_stride
            if dim.size == 1 or last.size == 1 or fits:
                if last.size == 1:
                    merged[-1] = _Dim(dim.size, dim.stride, dim.out_stride, dim.reduced)
                else:
                    last.size *= dim.size
                continue
        merged.append(_Dim(dim.size, dim.stride, dim.out_stride, dim.reduced))
    return merged


def _configure(reduction: Reduction, dims: list[_Dim], processors: Processors) -> _Config:
    reduced_dims = sum(1 for dim in dims if dim.out_stride == 0)
    outputs = inputs = 1
    for dim in dims:
        if dim.out_stride == 0:
            inputs *= dim.size
        else:
            outputs *= dim.size
    config = _Config(outputs, inputs)
    along_fastest = _block_shape(reduction, dims, reduced_dims, config)
    _split(config, not dims or along_fastest, processors)
    return config


def _block_shape(reduction: Reduction, dims: list[_Dim], reduced_dims: int, config: _Config) -> bool:
    """Choose width and height of a block; return whether the reduction runs along the fastest dimension."""
    along_fastest = reduced_dims == len(dims) or (reduced_dims > 0 and dims[0].stride < dims[reduced_dims].stride)
    if not dims:
        width, height, fastest = 1, 1, 1
    elif along_fastest:
        width, height, fastest = config.inputs, config.outputs, dims[0].stride
    else:
        width, height, fastest = config.outputs, config.inputs, dims[reduced_dims].stride
    if fastest == 1:
        enough = reduction.values_at_once >= reduction.input_vector
        if along_fastest and width > 128 and len(dims) == 1 and enough:
            width //= reduction.input_vector
        elif not along_fastest:
            config.output_vector = _output_vector(dims, reduced_dims)
            width //= config.output_vector
    limit = MAX_THREADS // config.output_vector
    width, height = min(_last_power(width), limit), min(_last_power(height), limit)
    config.block_width = min(width, WARP)
    config.block_height = min(height, limit // config.block_width)
    config.block_width = min(width, limit // config.block_height)
    return along_fastest


def _last_power(number: int) -> int:
    return 1 << (max(number, 1).bit_length() - 1)


def _output_vector(dims: list[_Dim], output_dim: int) -> int:
    """Width of vector loads along the outputs (``get_output_vec_size``); fresh storages are aligned."""
    vector = 4
    numbers = [dims[output_dim].size] + [dim.stride for index, dim in enumerate(dims) if index != output_dim]
    for number in numbers:
        while number % vector:
            vector //= 2
    return vector


def _split(config: _Config, across_lanes: bool, processors: Processors) -> None:
    """Share the input among lanes, warps and, when there is work enough, blocks."""
    if across_lanes:
        config.splits_block_x = True
        config.step_input *= config.block_width
    else:
        config.step_output *= config.block_width
    values = config.values_per_thread
    if values >= config.block_height * MIN_VALUES_PER_THREAD or values >= MAX_VALUES_PER_THREAD:
        config.splits_block_y = True
        config.step_input *= config.block_height
    else:
        config.step_output *= config.block_height
    threads = config.block_width * config.block_height
    target = processors.multiprocessors * (processors.threads_per_multiprocessor // threads)
    if config.splits_block_y and config.values_per_thread >= MAX_VALUES_PER_THREAD and config.grid <= target:
        values = config.values_per_thread
        wanted = min(-(-target // config.grid), -(-values // MIN_VALUES_PER_THREAD))
        config.blocks_per_output = max(wanted, -(-values // MAX_VALUES_PER_THREAD))
        config.splits_grid = config.blocks_per_output > 1

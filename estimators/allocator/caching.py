"""The native CUDA caching allocator on one stream, block by block.

The rules are those of ``c10/cuda/CUDACachingAllocator.cpp`` (PyTorch 2.14): rounding to 512 bytes, a small and a
large pool, best fit at the lowest address, splitting, joining, and release-and-retry when the device is full.
"""

from __future__ import annotations

from dnnlint.estimators.allocator.blocks import SMALL_POOL_LIMIT, SMALL_SEGMENT_BYTES, Block, Pool, cut_front, join
from dnnlint.estimators.allocator.config import UNLIMITED_BYTES, AllocatorConfig
from dnnlint.estimators.allocator.expandable import DeviceMemory, take_block, unmap

MIN_BLOCK_BYTES = 512
"""Smallest block and unit of rounding (``kMinBlockSize``)."""

LARGE_REQUEST_BYTES = 10 << 20
"""Requests from here on get a segment of their own size (``kMinLargeAlloc``)."""

LARGE_ROUNDING_BYTES = 2 << 20
"""Unit of those segments (``kRoundLarge``)."""


class CachingAllocator:
    """Counts allocated and reserved bytes for a sequence of requests; no memory is touched."""

    def __init__(self, config: AllocatorConfig | None = None, capacity_bytes: int | None = None) -> None:
        """Start empty on a device with ``capacity_bytes`` (unlimited when ``None``)."""
        self.config = config or AllocatorConfig()
        self.device = DeviceMemory(UNLIMITED_BYTES if capacity_bytes is None else capacity_bytes)
        self.small = Pool(True, SMALL_SEGMENT_BYTES)
        self.large = Pool(False, self.config.large_segment_bytes)
        self.allocated_bytes = self.reserved_bytes = 0
        self.peak_allocated_bytes = self.peak_reserved_bytes = 0
        self.retries = 0

    def reset_peaks(self) -> None:
        """Start new peaks at the current level, as ``torch.cuda.reset_peak_memory_stats`` does."""
        self.peak_allocated_bytes = self.allocated_bytes
        self.peak_reserved_bytes = self.reserved_bytes

    def allocate(self, requested: int) -> Block | None:
        """Return a block for ``requested`` bytes, or ``None`` when the device is out of memory."""
        size = self.rounded(requested)
        pool = self.small if size <= SMALL_POOL_LIMIT else self.large
        block = self._cached(pool, size) or self._from_device(pool, size)
        if block is None:
            return None
        if self._worth_splitting(pool, block.size - size, size):
            rest, block = block, cut_front(block, size)
            pool.insert(rest)
        block.free = False
        self.allocated_bytes += block.size
        self.peak_allocated_bytes = max(self.peak_allocated_bytes, self.allocated_bytes)
        return block

    def release(self, block: Block) -> None:
        """Give a block back to its pool, joined with free neighbours."""
        block.free = True
        self.allocated_bytes -= block.size
        pool = block.pool
        if block.previous is not None:
            join(pool, block, block.previous)
        if block.next is not None:
            join(pool, block, block.next)
        pool.insert(block)

    def rounded(self, requested: int) -> int:
        """Return the block size for a request, in bytes."""
        if requested < MIN_BLOCK_BYTES:
            return MIN_BLOCK_BYTES
        divisor = self.config.roundup_division(requested)
        if divisor > 1 and requested > MIN_BLOCK_BYTES * divisor:
            return _round_to_power2_division(requested, divisor)
        return -(-requested // MIN_BLOCK_BYTES) * MIN_BLOCK_BYTES

    def empty_cache(self) -> None:
        """Return every wholly free segment to the device."""
        for pool in (self.large, self.small):
            expandable = [block for _, _, block in pool.free if block.segment is not None]
            fixed = [block for _, _, block in pool.free if block.segment is None]
            for block in fixed:
                if block.previous is None and block.next is None:
                    self._return_segment(pool, block)
            for block in expandable:
                self.reserved_bytes -= unmap(pool, self.device, block)

    def _worth_splitting(self, pool: Pool, remaining: int, size: int) -> bool:
        if pool.small or self.config.expandable_segments:
            return remaining >= MIN_BLOCK_BYTES
        return size < self.config.max_split_bytes and remaining > SMALL_POOL_LIMIT

    def _cached(self, pool: Pool, size: int) -> Block | None:
        index = pool.first_at_least(size)
        if index >= len(pool.free):
            return None
        if pool.free[index][2].segment is not None:
            index = _skip_to_smallest_extent(pool, index)
        block = pool.free[index][2]
        limit = self.config.max_split_bytes
        if size < limit <= block.size:
            return None
        if size >= limit and block.size >= size + self.config.max_non_split_rounding_bytes:
            return None
        del pool.free[index]
        return block

    def _from_device(self, pool: Pool, size: int) -> Block | None:
        block = self._new_block(pool, size)
        if block is None and self._release_oversize(pool, size):
            block = self._new_block(pool, size)
        if block is None:
            self.empty_cache()
            self.retries += 1
            block = self._new_block(pool, size)
        return block

    def _new_block(self, pool: Pool, size: int) -> Block | None:
        if self.config.expandable_segments:
            block, mapped = take_block(pool, self.device, size)
            self._reserve(mapped)
            return block
        segment = self._segment_bytes(size)
        if not self.device.take(segment):
            return None
        self._reserve(segment)
        return Block(self.device.address_range(segment), segment, pool)

    def _segment_bytes(self, size: int) -> int:
        if size <= SMALL_POOL_LIMIT:
            return SMALL_SEGMENT_BYTES
        if size < LARGE_REQUEST_BYTES:
            return self.config.large_segment_bytes
        return -(-size // LARGE_ROUNDING_BYTES) * LARGE_ROUNDING_BYTES

    def _reserve(self, size: int) -> None:
        self.reserved_bytes += size
        self.peak_reserved_bytes = max(self.peak_reserved_bytes, self.reserved_bytes)

    def _return_segment(self, pool: Pool, block: Block) -> None:
        pool.remove(block)
        self.reserved_bytes -= block.size
        self.device.used_bytes -= block.size

    def _release_oversize(self, pool: Pool, size: int) -> bool:
        """Return cached blocks beyond ``max_split_size`` (``release_available_cached_blocks``)."""
        limit = self.config.max_split_bytes
        if limit >= UNLIMITED_BYTES:
            return False
        wanted = max(size, limit)
        index = pool.first_at_least(wanted)
        if index < len(pool.free) and pool.free[index][2].segment is None:
            self._return_segment(pool, pool.free[index][2])
            return True
        released = 0
        for position in range(index - 1, -1, -1):
            block = pool.free[position][2]
            if released >= wanted or block.size < limit:
                break
            if block.segment is None:
                released += block.size
                self._return_segment(pool, block)
        return released >= wanted


def _round_to_power2_division(size: int, divisor: int) -> int:
    """Round up to one of ``divisor`` equal steps between two powers of two (``roundup_power2_next_division``)."""
    if size & (size - 1) == 0:
        return size
    floor = 1 << (size.bit_length() - 1)
    step = floor >> (divisor.bit_length() - 1)
    if step == 0:
        return floor << 1
    return -(-size // step) * step


def _skip_to_smallest_extent(pool: Pool, index: int) -> int:
    """Prefer, among expandable blocks, one with the least unmapped room behind it."""

    def extent(block: Block) -> int:
        following = block.next
        return block.size + (following.size if following is not None and not following.mapped else 0)

    while (
        index + 1 < len(pool.free)
        and pool.free[index + 1][2].segment is not None
        and extent(pool.free[index + 1][2]) < extent(pool.free[index][2])
    ):
        index += 1
    return index

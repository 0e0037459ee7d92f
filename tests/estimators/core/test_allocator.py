"""The caching allocator against its published rules and against closed sequences."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dnnlint.estimators.allocator import AllocatorConfig, CachingAllocator, parse_alloc_conf
from dnnlint.estimators.allocator.blocks import Block

KIB, MIB = 1 << 10, 1 << 20
CONFIGS = [
    "",
    "expandable_segments:True",
    "max_split_size_mb:64",
    "roundup_power2_divisions:8",
    "expandable_segments:True,roundup_power2_divisions:4",
]


def _took(allocator: CachingAllocator, size: int) -> Block:
    block = allocator.allocate(size)
    assert block is not None
    return block


@pytest.mark.parametrize(
    ("requested", "allocated", "reserved"),
    [
        pytest.param(1, 512, 2 * MIB, id="one byte takes a block of 512 from a small segment"),
        pytest.param(513, 1024, 2 * MIB, id="sizes round up to 512"),
        pytest.param(MIB, MIB, 2 * MIB, id="one MiB is still small"),
        pytest.param(MIB + 1, MIB + 512, 20 * MIB, id="above one MiB comes from a large segment"),
        pytest.param(10 * MIB, 10 * MIB, 10 * MIB, id="from ten MiB on a segment of its own"),
        pytest.param(11 * MIB, 12 * MIB, 12 * MIB, id="a rest of at most one MiB is not split off"),
        pytest.param(10 * MIB + 1, 10 * MIB + 512, 12 * MIB, id="segments round up to two MiB"),
    ],
)
def test_first_request(requested: int, allocated: int, reserved: int) -> None:
    """A request on an empty allocator takes the documented block and segment."""
    allocator = CachingAllocator()
    _took(allocator, requested)
    assert (allocator.allocated_bytes, allocator.reserved_bytes) == (allocated, reserved)


def test_freed_memory_is_reused_best_fit() -> None:
    """Of two free blocks the smaller one that suffices is taken."""
    allocator = CachingAllocator()
    small, large = _took(allocator, 12 * MIB), _took(allocator, 40 * MIB)
    allocator.release(large)
    allocator.release(small)
    assert _took(allocator, 11 * MIB + 1) is small
    assert allocator.reserved_bytes == 52 * MIB


def test_neighbours_join() -> None:
    """Two free neighbours serve a request that neither could."""
    allocator = CachingAllocator()
    blocks = [_took(allocator, 5 * MIB) for _ in range(4)]
    for block in blocks:
        allocator.release(block)
    _took(allocator, 20 * MIB - 512)
    assert allocator.reserved_bytes == 20 * MIB


def test_full_device_releases_its_cache_and_retries() -> None:
    """Cached segments go back to the device before a request fails."""
    allocator = CachingAllocator(capacity_bytes=100 * MIB)
    allocator.release(_took(allocator, 60 * MIB))
    assert allocator.allocate(80 * MIB) is not None
    assert (allocator.retries, allocator.reserved_bytes) == (1, 80 * MIB)
    assert allocator.allocate(30 * MIB) is None


def test_expandable_segments_leave_no_holes() -> None:
    """Freed small pieces grow into one range, where fixed segments would be fragmented."""
    fixed, expandable = CachingAllocator(), CachingAllocator(AllocatorConfig(expandable_segments=True))
    for allocator in (fixed, expandable):
        for size in (30, 50, 70):
            allocator.release(_took(allocator, size * MIB))
    assert (fixed.reserved_bytes, expandable.reserved_bytes) == (150 * MIB, 80 * MIB)


def test_large_blocks_are_kept_whole_above_max_split_size() -> None:
    """A block beyond the limit is not cut for a smaller request."""
    allocator = CachingAllocator(parse_alloc_conf("max_split_size_mb:64"))
    allocator.release(_took(allocator, 100 * MIB))
    _took(allocator, 30 * MIB)
    assert allocator.reserved_bytes == 130 * MIB


@pytest.mark.parametrize("text", CONFIGS)
@given(choices=st.lists(st.tuples(st.integers(0, 64 * MIB), st.integers(0, 7)), max_size=60))
def test_books_balance(text: str, choices: list[tuple[int, int]]) -> None:
    """Allocated is the sum of live blocks, reserved covers it, and all of it can be given back."""
    allocator = CachingAllocator(parse_alloc_conf(text), capacity_bytes=1 << 30)
    live: list[Block] = []
    for size, choice in choices:
        if live and choice < 3:
            allocator.release(live.pop(choice % len(live)))
        elif (block := allocator.allocate(size)) is not None:
            assert block.size >= size
            live.append(block)
        assert allocator.allocated_bytes == sum(block.size for block in live) <= allocator.reserved_bytes
        assert allocator.reserved_bytes <= 1 << 30
    spans = sorted((block.address, block.address + block.size) for block in live)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    for block in live:
        allocator.release(block)
    allocator.empty_cache()
    assert (allocator.allocated_bytes, allocator.reserved_bytes) == (0, 0)

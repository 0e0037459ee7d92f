"""Expandable segments: one reserved address range a pool, mapped piece by piece.

Follows ``get_expandable_block``, ``try_allocate_expandable_block``, ``map_block`` and ``unmap_block`` of
``c10/cuda/CUDACachingAllocator.cpp``.
"""

from __future__ import annotations

from dataclasses import dataclass

from dnnlint.estimators.allocator.blocks import Block, Pool, join

PAGE = 2 << 20


@dataclass(slots=True)
class DeviceMemory:
    """Physical memory and the address space it is mapped into; sizes in bytes."""

    total_bytes: int
    used_bytes: int = 0
    next_address: int = 0x7F0000000000

    def take(self, size: int) -> bool:
        """Claim physical memory; false when the device has too little."""
        if self.used_bytes + size > self.total_bytes:
            return False
        self.used_bytes += size
        return True

    def address_range(self, size: int) -> int:
        """Reserve an address range, aligned to pages."""
        address = -(-self.next_address // PAGE) * PAGE
        self.next_address = address + -(-size // PAGE) * PAGE
        return address


def take_block(pool: Pool, device: DeviceMemory, size: int) -> tuple[Block | None, int]:
    """Return an unlisted mapped block of at least ``size`` bytes and the bytes newly mapped."""
    candidate = _candidate(pool, size) or _new_segment(pool, device)
    mapped = 0
    if not candidate.mapped:
        step = _map(pool, device, candidate, min(candidate.size, size))
        if not step:
            return None, mapped
        mapped += step
    while candidate.size < size:
        following = candidate.next
        assert following is not None
        step = _map(pool, device, following, min(size - candidate.size, following.size))
        if not step:
            return None, mapped
        mapped += step
        candidate = following
    pool.remove(candidate)
    return candidate, mapped


def _candidate(pool: Pool, size: int) -> Block | None:
    """Find free mapped and unmapped neighbours that together hold ``size`` bytes, at the lowest address."""
    for unmapped in sorted(pool.unmapped, key=lambda block: block.address):
        first = unmapped.previous if unmapped.previous is not None and unmapped.previous.free else unmapped
        room = 0
        block: Block | None = first
        while room < size and block is not None and block.free:
            room += block.size
            block = block.next
        if room >= size:
            return first
    return None


def _new_segment(pool: Pool, device: DeviceMemory) -> Block:
    """Reserve a range of 9/8 of the device, as PyTorch does to leave room for fragmentation."""
    wanted = device.total_bytes + device.total_bytes // 8
    size = -(-wanted // pool.granularity) * pool.granularity
    block = Block(device.address_range(size), size, pool)
    block.mapped = False
    block.segment = block.address
    pool.unmapped.append(block)
    return block


def _map(pool: Pool, device: DeviceMemory, block: Block, size: int) -> int:
    """Map the first ``size`` bytes of an unmapped block, in whole units; return the bytes mapped (0: no memory)."""
    assert block.segment is not None
    unit = pool.granularity
    offset = block.address - block.segment
    mapped = -(-(offset + size) // unit) * unit - offset
    if not device.take(mapped):
        return 0
    pool.unmapped.remove(block)
    block.mapped = True
    if mapped < block.size:
        _split_unmapped_tail(pool, block, mapped)
    join(pool, block, block.previous)
    join(pool, block, block.next)
    pool.insert(block)
    return mapped


def _split_unmapped_tail(pool: Pool, block: Block, mapped: int) -> None:
    rest = Block(block.address + mapped, block.size - mapped, pool)
    rest.mapped = False
    rest.segment = block.segment
    rest.previous, rest.next = block, block.next
    if rest.next is not None:
        rest.next.previous = rest
    block.next = rest
    block.size = mapped
    pool.unmapped.append(rest)


def unmap(pool: Pool, device: DeviceMemory, block: Block) -> int:
    """Give back the whole units inside a free block; return the bytes unmapped."""
    assert block.segment is not None
    unit, base, end = pool.granularity, block.segment, block.address + block.size
    low = -(-(block.address - base) // unit) * unit + base
    high = (end - base) // unit * unit + base
    if low >= high:
        return 0
    pool.remove(block)
    if low > block.address:
        _leave_mapped(pool, block, block.address, low - block.address, before=True)
    if end > high:
        _leave_mapped(pool, block, high, end - high, before=False)
    block.address, block.size, block.mapped = low, high - low, False
    device.used_bytes -= block.size
    unmapped = block.size
    join(pool, block, block.previous)
    join(pool, block, block.next)
    if block.previous is not None or block.next is not None:
        pool.unmapped.append(block)
    return unmapped


def _leave_mapped(pool: Pool, block: Block, address: int, size: int, before: bool) -> None:
    """Keep an edge of ``block`` that does not fill a unit as a mapped free block of its own."""
    edge = Block(address, size, pool)
    edge.segment = block.segment
    if before:
        edge.previous, edge.next = block.previous, block
        if edge.previous is not None:
            edge.previous.next = edge
        block.previous = edge
    else:
        edge.previous, edge.next = block, block.next
        if edge.next is not None:
            edge.next.previous = edge
        block.next = edge
    pool.insert(edge)

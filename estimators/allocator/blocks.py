"""Blocks of device memory and the pools that keep the free ones."""

from __future__ import annotations

from bisect import bisect_left, insort

SMALL_POOL_LIMIT = 1 << 20
"""Requests up to this size come from the small pool (``kSmallSize``)."""

SMALL_SEGMENT_BYTES = 2 << 20
"""Segment of the small pool (``kSmallBuffer``)."""


class Block:
    """A stretch of one segment; neighbours are linked so that free ones can be joined."""

    __slots__ = ("address", "free", "mapped", "next", "pool", "previous", "segment", "size")

    def __init__(self, address: int, size: int, pool: Pool) -> None:
        """Make a free, mapped block without neighbours."""
        self.address = address
        self.size = size
        self.pool = pool
        self.previous: Block | None = None
        self.next: Block | None = None
        self.free = True
        self.mapped = True
        self.segment: int | None = None
        """Start of the expandable segment that holds the block; ``None`` in a segment of fixed size."""


Entry = tuple[int, int, Block]


class Pool:
    """Free blocks of one pool, ordered by size and then address."""

    __slots__ = ("free", "granularity", "small", "unmapped")

    def __init__(self, small: bool, granularity: int) -> None:
        """Make an empty pool; ``granularity`` is the unit in which expandable segments are mapped."""
        self.small = small
        self.granularity = granularity
        self.free: list[Entry] = []
        self.unmapped: list[Block] = []

    def insert(self, block: Block) -> None:
        """Add a free block."""
        insort(self.free, (block.size, block.address, block))

    def remove(self, block: Block) -> None:
        """Take out a free block."""
        del self.free[bisect_left(self.free, (block.size, block.address))]

    def first_at_least(self, size: int) -> int:
        """Return the index of the smallest free block of at least ``size`` bytes."""
        return bisect_left(self.free, (size, 0))

    def forget(self, block: Block) -> None:
        """Take a block out of the list it is in."""
        if block.mapped:
            self.remove(block)
        else:
            self.unmapped.remove(block)


def join(pool: Pool, block: Block, neighbour: Block | None) -> None:
    """Merge a free neighbour of the same kind into ``block``, which stands in no list."""
    if neighbour is None or not neighbour.free or neighbour.mapped != block.mapped:
        return
    pool.forget(neighbour)
    if block.previous is neighbour:
        block.address = neighbour.address
        block.previous = neighbour.previous
        if block.previous is not None:
            block.previous.next = block
    else:
        block.next = neighbour.next
        if block.next is not None:
            block.next.previous = block
    block.size += neighbour.size


def cut_front(block: Block, size: int) -> Block:
    """Split ``size`` bytes off the front of ``block`` and return them as a new block before it."""
    front = Block(block.address, size, block.pool)
    front.segment = block.segment
    front.mapped = block.mapped
    front.previous = block.previous
    if front.previous is not None:
        front.previous.next = front
    front.next = block
    block.previous = front
    block.address += size
    block.size -= size
    return front

"""The largest batch whose steps stay within the memory of a device."""

from __future__ import annotations

from collections.abc import Callable

from dnnlint.estimators.allocator import AllocatorConfig, Trace, Usage, replay
from dnnlint.estimators.batch.family import BatchFamily

DEFAULT_HEADROOM = 0.2
HIGHEST_BATCH = 1 << 20
TRACED_CORRECTIONS = 4
"""How often an answer is corrected by tracing before the search gives up on the last batch verified to fit."""

_Fits = Callable[[Trace], bool]


def largest_batch(
    family: BatchFamily,
    capacity_bytes: int,
    headroom: float = DEFAULT_HEADROOM,
    config: AllocatorConfig | None = None,
    first_batch_usage: Usage | None = None,
    limit: int = HIGHEST_BATCH,
) -> int:
    """Return the largest batch whose reserved peak leaves ``headroom`` of the capacity free.

    ``first_batch_usage`` is the replay of a batch of one, from its own trace; without it a batch of one counts as
    fitting. 0 means that not even one sample fits. The answer is verified with a trace of that very batch.
    """
    budget = int(capacity_bytes * (1 - headroom))

    def fits(trace: Trace) -> bool:
        return usage_fits(replay(trace, config, capacity_bytes), budget)

    if first_batch_usage is not None and not usage_fits(first_batch_usage, budget):
        return 0
    family = family.around(_bisect(family, fits, limit))
    batch = _bisect(family, fits, limit)
    return _verified(family, fits, batch, limit)


def usage_fits(usage: Usage, budget_bytes: int) -> bool:
    """Say whether all steps ran and none reserved more than the budget."""
    return usage.out_of_memory is None and all(step.peaks.reserved_bytes <= budget_bytes for step in usage.steps)


def _bisect(family: BatchFamily, fits: _Fits, limit: int) -> int:
    """Return the largest batch that fits by the family's own sizes, or 1."""
    low, high = 1, 2
    while high <= limit and fits(family.at(high)):
        low, high = high, high * 2
    high = min(high, limit + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if fits(family.at(middle)):
            low = middle
        else:
            high = middle
    return low


def _verified(family: BatchFamily, fits: _Fits, batch: int, limit: int) -> int:
    """Correct an answer by traces of the batches around it."""
    for _ in range(TRACED_CORRECTIONS):
        if batch < 2 or fits(family.trace_at(batch)):
            break
        batch -= 1
    for _ in range(TRACED_CORRECTIONS):
        if batch >= limit or batch < 1 or not fits(family.trace_at(batch + 1)):
            break
        batch += 1
    return batch

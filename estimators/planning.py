"""The largest batch that fits a GPU."""

from __future__ import annotations

from collections.abc import Callable

from dnnlint.estimators.allocator import AllocatorConfig, Trace, replay
from dnnlint.estimators.batch import NotAffineError, fit_batch_family, largest_batch
from dnnlint.estimators.devices import Gpu

MOST_TRACES = 12
"""A bisection by tracing, for programs whose sizes do not follow the batch, ends after this many."""

TraceAt = Callable[[int], Trace]


def find_largest_batch(trace_at: TraceAt, gpu: Gpu, headroom: float, config: AllocatorConfig) -> tuple[int | None, str]:
    """Return the largest batch that runs in what headroom and context leave of the memory, and how it was found."""
    limit = int(gpu.memory_bytes * (1 - headroom)) - gpu.context.high_bytes
    if limit <= 0:
        return 0, "the CUDA context alone exceeds the limit"
    try:
        family = fit_batch_family(trace_at)
    except NotAffineError as error:
        return _bisect(trace_at, limit, config), f"by tracing, since sizes do not follow the batch ({error})"
    how = "from two traces; every storage grows linearly with the batch, checked on a third"
    try:
        single = replay(trace_at(1), config, limit)
    except (RuntimeError, ValueError, TypeError) as error:
        # Batch normalisation over features refuses one sample in training.
        largest = largest_batch(family, limit, headroom=0.0, config=config)
        return largest if largest > 1 else 0, f"{how}; a batch of one is refused by the model ({error})"
    return largest_batch(family, limit, headroom=0.0, config=config, first_batch_usage=single), how


def _fits(trace: Trace, limit: int, config: AllocatorConfig) -> bool:
    return replay(trace, config, limit).out_of_memory is None


def _bisect(trace_at: TraceAt, limit: int, config: AllocatorConfig) -> int:
    """Return the largest batch known to fit after at most ``MOST_TRACES`` traces."""
    fitting, failing = 0, 0
    for _ in range(MOST_TRACES):
        if failing == 0:
            batch = max(1, 2 * fitting)
        elif failing - fitting > 1:
            batch = (fitting + failing) // 2
        else:
            break
        if _fits(trace_at(batch), limit, config):
            fitting = batch
        else:
            failing = batch
    return fitting

"""Decide whether a replayed run fits a GPU."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from dnnlint.estimators.devices import Gpu
from dnnlint.estimators.report.schema import Interval, Verdict, VerdictStatus


def interval_of(reserved_bytes: int, gpu: Gpu) -> Interval:
    """Return the bounds of the on-device peak: only the CUDA context is uncertain."""
    context = gpu.context
    basis = "the CUDA context was measured on this GPU" if context.is_measured else f"CUDA context: {context.source}"
    return Interval(reserved_bytes + context.low_bytes, reserved_bytes + context.high_bytes, basis)


def decide(peak_reserved_bytes: int, gpu: Gpu, headroom: float, runs_within: Callable[[int], bool]) -> Verdict:
    """Return the verdict for a peak of reserved bytes; ``runs_within`` replays the run at a capacity.

    Near a capacity the allocator releases cached blocks before it gives up, so a run whose unhindered peak is higher
    may still fit; the same is asked of the largest batch.
    """
    limit = int(gpu.memory_bytes * (1 - headroom))
    interval = interval_of(peak_reserved_bytes, gpu)
    free = gpu.memory_bytes - interval.high_bytes
    if interval.high_bytes <= limit:
        status, reason = VerdictStatus.FITS, f"{_gib(free)} of {_gib(gpu.memory_bytes)} stay free"
    elif runs_within(limit - gpu.context.high_bytes):
        status = VerdictStatus.FITS
        reason = (
            f"within {_gib(limit)} by releasing cached blocks; an unhindered run peaks at {_gib(interval.high_bytes)}"
        )
    elif runs_within(gpu.memory_bytes - gpu.context.high_bytes):
        status = VerdictStatus.FITS_WITHOUT_HEADROOM
        reason = f"the peak needs {_gib(interval.high_bytes)}; with {headroom:.0%} headroom {_gib(limit)} are allowed"
    elif runs_within(gpu.memory_bytes - gpu.context.low_bytes):
        status = VerdictStatus.CANNOT_TELL
        reason = f"it depends on the size of the CUDA context ({gpu.context.source})"
    else:
        status = VerdictStatus.DOES_NOT_FIT
        reason = f"an unhindered run peaks at {_gib(interval.low_bytes)}, the GPU has {_gib(gpu.memory_bytes)}"
    fits = {VerdictStatus.CANNOT_TELL: None, VerdictStatus.DOES_NOT_FIT: False}.get(status, True)
    return Verdict(status, fits, headroom, limit, reason)


def doubted(verdict: Verdict, reason: str) -> Verdict:
    """Return "cannot tell" for a verdict that the numbers do not carry; no GPU stays no GPU."""
    if verdict.status is VerdictStatus.NOT_ASKED:
        return verdict
    return dataclasses.replace(verdict, status=VerdictStatus.CANNOT_TELL, fits=None, reason=reason)


def no_verdict(headroom: float) -> Verdict:
    """Return the verdict of an estimate without a GPU to fit."""
    return Verdict(VerdictStatus.NOT_ASKED, None, headroom, None, "name one with --gpu, or a size with --gpu-memory")


def _gib(size: int) -> str:
    return f"{size / 2**30:.2f} GiB"

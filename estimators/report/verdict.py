"""Decide whether a replayed run fits a GPU."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from dnnlint.estimators.devices import Gpu
from dnnlint.estimators.report.schema import Interval, Verdict, VerdictStatus
from dnnlint.estimators.report.uncertainty import LOADED_BYTES, RESERVED_SHARE, WORKSPACE_MULTIPLE, of_reserved


def interval_of(reserved_bytes: int, gpu: Gpu, convolution_bytes: int = 0) -> Interval:
    """Return the bounds of the on-device peak; docs/accuracy.md measures how often they hold.

    ``convolution_bytes`` is the input and output of the largest convolution that cuDNN may give a workspace.
    """
    context, span = gpu.context, of_reserved(reserved_bytes, convolution_bytes)
    basis = "the CUDA context was measured on this GPU" if context.is_measured else f"CUDA context: {context.source}"
    basis += f"; reserved memory: {RESERVED_SHARE:.0%} to both sides; loaded kernels: up to {LOADED_BYTES >> 20} MiB"
    if convolution_bytes:
        basis += f", and a cuDNN workspace of up to {convolution_bytes * WORKSPACE_MULTIPLE / 2**20:,.0f} MiB"
    return Interval(span.low_bytes + context.low_bytes, span.high_bytes + context.high_bytes, basis)


def decide(peak_reserved_bytes: int, gpu: Gpu, headroom: float, runs_within: Callable[[int], bool]) -> Verdict:
    """Return the verdict for a peak of reserved bytes; ``runs_within`` replays the run at a capacity.

    Near a capacity the allocator releases cached blocks before it gives up, so a run whose unhindered peak is higher
    may still fit; the same is asked of the largest batch.
    """
    limit = int(gpu.memory_bytes * (1 - headroom))
    lowest, highest = (peak_reserved_bytes + size for size in (gpu.context.low_bytes, gpu.context.high_bytes))
    free = gpu.memory_bytes - highest
    if highest <= limit:
        status, reason = VerdictStatus.FITS, f"{_gib(free)} of {_gib(gpu.memory_bytes)} stay free"
    elif runs_within(limit - gpu.context.high_bytes):
        status = VerdictStatus.FITS
        reason = f"within {_gib(limit)} by releasing cached blocks; an unhindered run peaks at {_gib(highest)}"
    elif runs_within(gpu.memory_bytes - gpu.context.high_bytes):
        status = VerdictStatus.FITS_WITHOUT_HEADROOM
        reason = f"the peak needs {_gib(highest)}; with {headroom:.0%} headroom {_gib(limit)} are allowed"
    elif runs_within(gpu.memory_bytes - gpu.context.low_bytes):
        status = VerdictStatus.CANNOT_TELL
        reason = f"it depends on the size of the CUDA context ({gpu.context.source})"
    else:
        status = VerdictStatus.DOES_NOT_FIT
        reason = f"an unhindered run peaks at {_gib(lowest)}, the GPU has {_gib(gpu.memory_bytes)}"
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

"""Coverage of the stated interval: calibrated on one half of the rows, tested on the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

from benchmarks.accuracy import scores
from benchmarks.accuracy.scores import MIB, Scored
from dnnlint.estimators.report.uncertainty import of_allocated, of_reserved

USUALLY_LOADED_MIB = 150
"""Part of the constant of the nvidia-smi rows that stands for loaded kernels, and not for the bare context."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares of the rows of a half."""

    rows: int
    inside: float
    above: float
    """Measured above the interval: an under-estimate that it does not cover."""
    below: float


def is_calibration(scored: Scored) -> bool:
    """Say whether a row is of the half that was looked at; all batches of a model are of the same half."""
    return crc32(scored.id.partition("@")[0].encode()) % 2 == 0


def coverage(found: Sequence[Scored], reserved_constant: float | None = None) -> Coverage:
    """Return how often the published figure lies in the interval around the estimate."""
    inside = above = below = 0
    for one in found:
        low, high = bounds_of(one, reserved_constant)
        above += one.low > high
        below += one.high < low
        inside += not (one.low > high or one.high < low)
    count = max(1, len(found))
    return Coverage(len(found), inside / count, above / count, below / count)


def bounds_of(one: Scored, reserved_constant: float | None) -> tuple[float, float]:
    """Return the interval of a row in MiB; with a constant the row is a reading of nvidia-smi."""
    if reserved_constant is None:
        span = of_allocated(int(one.predicted * MIB))
        return span.low_bytes / MIB, span.high_bytes / MIB
    reserved, context = int((one.predicted - reserved_constant) * MIB), reserved_constant - USUALLY_LOADED_MIB
    span = of_reserved(reserved, int(one.convolution * MIB))
    return span.low_bytes / MIB + context, span.high_bytes / MIB + context


def halves(found: Sequence[Scored]) -> tuple[list[Scored], list[Scored]]:
    """Return the half for calibration and the half for the test."""
    return [s for s in found if is_calibration(s)], [s for s in found if not is_calibration(s)]


def all_allocated() -> list[Scored]:
    """Return the rows whose figure is of allocated memory."""
    return [*scores.exact(), *scores.measured("t4"), *scores.measured("oracle")]

"""Leaks, sawteeth and idle periods in the series of one GPU."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from dnnlint.monitor.columns import MEMORY_USED, UTILISATION
from dnnlint.monitor.log import Series
from dnnlint.monitor.statistics import bin_edges, find_period, mann_kendall, median, quantile
from dnnlint.monitor.thresholds import Thresholds

LEAK_BINS = 24
_LEAK_PARTS = 3
_LEAST_PART = 0.15
_LEAST_SAMPLES = 48

MIN_CYCLES = 6
_WINDOW = 768
_MAX_WINDOWS = 8
_LEAST_WINDOW = 60


class Leak(NamedTuple):
    """Memory that keeps growing after the warm-up."""

    p: float
    growth_bytes: float
    duration_s: float

    @property
    def bytes_per_hour(self) -> float:
        """The speed of the growth, 0 when the log has no length."""
        return self.growth_bytes / self.duration_s * 3600.0 if self.duration_s > 0 else 0.0


def find_leak(series: Series, limits: Thresholds) -> Leak | None:
    """Test the memory of a GPU for a steady rise.

    After the warm-up the samples are cut into 24 bins of equal length. Their medians must rise by the Mann-Kendall
    test, by enough bytes, and in each third of the time, so that one step up (an evaluation, a longer text) is no leak.
    """
    used = series.columns.get(MEMORY_USED)
    if used is None:
        return None
    pairs = [(time, value) for time, value in zip(series.times, used, strict=True) if value == value and value > 0]
    pairs = pairs[int(len(pairs) * limits.warm_up_percent / 100.0) :]
    if len(pairs) < _LEAST_SAMPLES:
        return None
    values = [value for _, value in pairs]
    levels = [median(values[start:end]) for start, end in bin_edges(len(values), LEAK_BINS)]
    trend = mann_kendall(levels)
    growth = trend.slope * (len(levels) - 1)
    capacity = series.capacity_bytes
    base = capacity if capacity == capacity else max(values)
    least = max(limits.leak_growth_mib * 2**20, base * limits.leak_growth_percent / 100.0)
    if trend.p >= limits.leak_p or growth < least or not _rises_throughout(levels):
        return None
    return Leak(trend.p, growth, pairs[-1][0] - pairs[0][0])


def _rises_throughout(levels: Sequence[float]) -> bool:
    total = levels[-1] - levels[0]
    ends = [len(levels) * part // _LEAK_PARTS for part in range(_LEAK_PARTS + 1)]
    parts = [levels[min(end, len(levels) - 1)] - levels[start] for start, end in itertools.pairwise(ends)]
    return total > 0 and all(part >= _LEAST_PART * total for part in parts)


class Sawtooth(NamedTuple):
    """A regular swing between two levels, in the unit of its column."""

    period_s: float
    correlation: float
    low: float
    high: float


def find_usage_sawtooth(series: Series, limits: Thresholds) -> Sawtooth | None:
    """A regular swing of the utilisation, in percent."""
    return _find_sawtooth(series, UTILISATION, limits.sawtooth_amplitude_percent, limits)


def find_memory_sawtooth(series: Series, limits: Thresholds) -> Sawtooth | None:
    """A regular swing of the memory in use, in bytes."""
    capacity = series.capacity_bytes
    base = capacity if capacity == capacity else max(series.known(MEMORY_USED), default=0.0)
    return _find_sawtooth(series, MEMORY_USED, base * limits.memory_swing_percent / 100.0, limits)


def _find_sawtooth(series: Series, column: str, least_swing: float, limits: Thresholds) -> Sawtooth | None:
    """Look for a regular swing in windows spread over the log.

    A window swings when its 10th and 90th percentile are far apart and its autocorrelation, after its first zero, comes
    back above the limit at a lag that fits six times into it. More than half of the windows must swing.
    """
    values = series.known(column)
    found = []
    windows = _windows(len(values))
    for start, end in windows:
        window = values[start:end]
        ordered = sorted(window)
        low, high = quantile(ordered, 0.1), quantile(ordered, 0.9)
        if high - low < least_swing:
            continue
        period = find_period(window, MIN_CYCLES)
        if period.correlation >= limits.sawtooth_correlation:
            # Where values are missing, the known ones are further apart than the samples.
            seconds = period.samples * series.interval_s * len(series) / len(values)
            found.append(Sawtooth(seconds, period.correlation, low, high))
    if not windows or len(found) * 2 <= len(windows):
        return None
    return sorted(found)[len(found) // 2]


def _windows(count: int) -> list[tuple[int, int]]:
    if count < _LEAST_WINDOW:
        return []
    if count <= _WINDOW:
        return [(0, count)]
    windows = min(_MAX_WINDOWS, count // _WINDOW)
    step = (count - _WINDOW) / max(1, windows - 1)
    return [(int(index * step), int(index * step) + _WINDOW) for index in range(windows)]


class Idle(NamedTuple):
    """Periods without work between the first and the last work of a run."""

    periods: int
    idle_s: float
    longest_s: float
    longest_at: float
    run_s: float

    @property
    def share(self) -> float:
        """Share of the run that is idle."""
        return self.idle_s / self.run_s if self.run_s > 0 else 0.0


def find_idle(series: Series, limits: Thresholds) -> Idle:
    """Periods of at least ``idle_s`` in which no sample shows work; before and after the run nothing counts."""
    values = series.columns.get(UTILISATION)
    busy = [
        time
        for time, value in zip(series.times, values or (), strict=False)
        if value > limits.idle_percent  # False for what was not recorded
    ]
    if len(busy) < 2:
        return Idle(0, 0.0, 0.0, 0.0, 0.0)
    interval = series.interval_s
    least = max(limits.idle_s, 2 * interval)
    gaps = [(b - a - interval, a + interval) for a, b in itertools.pairwise(busy) if b - a - interval >= least]
    gaps = [(length, start) for length, start in gaps if _has_samples(series, start, length, interval)]
    longest = max(gaps, default=(0.0, 0.0))
    return Idle(len(gaps), sum(length for length, _ in gaps), *longest, busy[-1] - busy[0])


def _has_samples(series: Series, start: float, length: float, interval: float) -> bool:
    """Whether the log was recorded in that time: a gap in the record is not an idle GPU."""
    from bisect import bisect_left, bisect_right

    inside = bisect_right(series.times, start + length) - bisect_left(series.times, start)
    return inside * interval >= length / 2

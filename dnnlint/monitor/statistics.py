"""The statistical tests that the monitor states, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from operator import mul
from typing import NamedTuple


class Trend(NamedTuple):
    """A Mann-Kendall test: ``p`` of a rise as large by chance (one-sided), and the median slope per step."""

    p: float
    slope: float


def mann_kendall(values: Sequence[float]) -> Trend:
    """Test a series for a monotonic rise.

    Mann (1945), Kendall (1975): the sign of every pair, normal approximation with correction for ties and continuity;
    slope by Theil and Sen, the median over all pairs. Quadratic in the length, so give it a few dozen values.
    """
    n = len(values)
    if n < 4:
        return Trend(1.0, 0.0)
    slopes = [(b - a) / (j - i) for (i, a), (j, b) in combinations(enumerate(values), 2)]
    score = sum((slope > 0) - (slope < 0) for slope in slopes)
    ties = [values.count(value) if hasattr(values, "count") else 1 for value in set(values)]
    variance = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties)) / 18.0
    z = (score - 1) / math.sqrt(variance) if score > 0 and variance > 0 else 0.0
    return Trend(0.5 * math.erfc(z / math.sqrt(2.0)), median(slopes))


def median(values: Sequence[float]) -> float:
    """The median, 0 for an empty sequence."""
    if not values:
        return 0.0
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2.0


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which a share of sorted values lies."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def bin_edges(count: int, bins: int) -> list[tuple[int, int]]:
    """Split ``count`` samples into runs of equal length, at most ``bins`` of them."""
    bins = min(bins, count)
    return [(count * index // bins, count * (index + 1) // bins) for index in range(bins)]


class Period(NamedTuple):
    """The best period of a signal in samples and the autocorrelation there; 0 and 0 when there is none."""

    samples: int
    correlation: float


def find_period(values: Sequence[float], min_cycles: int) -> Period:
    """The lag of the highest autocorrelation after its first zero, seen at least ``min_cycles`` times.

    Noise with memory correlates with itself at short lags only; a cycle does so again after a swing below zero.
    """
    n = len(values)
    mean = sum(values) / n
    centred = [value - mean for value in values]
    energy = sum(map(mul, centred, centred))
    if energy <= 0.0:
        return Period(0, 0.0)
    found: list[Period] = []
    for lag in range(1, n // min_cycles + 1):
        # Each lag is divided by the number of its pairs, so that a long period is not worth less than a short one.
        r = sum(map(mul, centred, centred[lag:])) / (n - lag) / (energy / n)
        if found or r < 0.0:
            found.append(Period(lag, r))
    return _fundamental(found)


def _fundamental(found: Sequence[Period]) -> Period:
    """The first peak that is nearly as high as the highest: multiples of a period correlate as well as itself."""
    highest = max((period.correlation for period in found), default=0.0)
    if highest <= 0.0:
        return Period(0, 0.0)
    start = next(index for index, period in enumerate(found) if period.correlation >= 0.9 * highest)
    while start + 1 < len(found) and found[start + 1].correlation > found[start].correlation:
        start += 1
    return found[start]

"""A log in memory: one series of samples for each GPU, as flat arrays."""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dnnlint.monitor.columns import MEMORY_FREE, MEMORY_TOTAL, MEMORY_USED

NAN = math.nan


class Series:
    """The samples of one GPU. All arrays are as long as ``times``; what was not recorded is NaN.

    Percent, bytes, degrees Celsius, watts; times in seconds since 1970 or since the start of the log.
    """

    def __init__(self, gpu: str, name: str = "") -> None:
        """Start without samples."""
        self.gpu = gpu
        self.name = name
        self.times = array("d")
        self.columns: dict[str, array[float]] = {}
        self._known: dict[str, tuple[int, array[float]]] = {}

    def __len__(self) -> int:
        """The number of samples."""
        return len(self.times)

    def extend(self, times: Iterable[float], values: Mapping[str, Iterable[float]]) -> None:
        """Append samples; columns that came later or ended earlier are filled with NaN."""
        before = len(self.times)
        self.times.extend(times)
        for column, new in values.items():
            if column not in self.columns:
                self.columns[column] = array("d", [NAN]) * before
            self.columns[column].extend(new)
        for known in self.columns.values():
            known.extend([NAN] * (len(self.times) - len(known)))

    def known(self, column: str) -> array[float]:
        """The recorded values of a column, without the missing ones."""
        length, found = self._known.get(column, (-1, None))
        if found is None or length != len(self):
            found = array("d", [value for value in self.columns.get(column, ()) if value == value])
            self._known[column] = (len(self), found)
        return found

    @property
    def duration_s(self) -> float:
        """Time from the first to the last sample."""
        return self.times[-1] - self.times[0] if len(self.times) > 1 else 0.0

    @property
    def interval_s(self) -> float:
        """The usual time between two samples: their median, from at most 10,000 of them."""
        return typical_interval(self.times[:10_001])

    @property
    def capacity_bytes(self) -> float:
        """The memory of the GPU, NaN where the log does not say."""
        totals = self.known(MEMORY_TOTAL)
        if totals:
            return max(totals)
        used, free = self.columns.get(MEMORY_USED), self.columns.get(MEMORY_FREE)
        if used is None or free is None:
            return NAN
        sums = [a + b for a, b in zip(used, free, strict=True) if a + b == a + b]
        return max(sums, default=NAN)


def typical_interval(times: Sequence[float]) -> float:
    """The median of the positive differences, 0 when there is none."""
    steps = sorted(b - a for a, b in itertools.pairwise(times) if b > a)
    return steps[len(steps) // 2] if steps else 0.0


@dataclass(slots=True)
class Log:
    """What was read: the series by GPU, and what a reader of the report has to know about the reading."""

    source: str
    format: str = ""
    series: dict[str, Series] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    lines_skipped: int = 0
    has_times: bool = True
    is_scattered: bool = False
    """Whether values of one sample were written one by one, each with a time of its own."""

    def series_of(self, gpu: str, name: str = "") -> Series:
        """The series of a GPU, made when it is new."""
        if gpu not in self.series:
            self.series[gpu] = Series(gpu, name)
        found = self.series[gpu]
        found.name = found.name or name
        return found

    def notice(self, text: str) -> None:
        """Tell something about the reading, once."""
        if text not in self.notices:
            self.notices.append(text)


class LogError(Exception):
    """A log that cannot be read at all; the message is for the user."""

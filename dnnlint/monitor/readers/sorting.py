"""Bring the samples of each GPU into the order of time, and join those that were written value by value."""

from __future__ import annotations

import math
from array import array
from itertools import pairwise

from dnnlint.monitor.log import Log, Series, typical_interval

_SAME_MOMENT = 0.5
"""Values that are less than this part of the interval apart belong to one sample."""


def sort_by_time(log: Log) -> None:
    """Sort series that are not in order: several files, rotated logs, a clock that was set back."""
    for series in log.series.values():
        if any(b < a for a, b in pairwise(series.times)):
            if not log.is_scattered:
                log.notice("samples were not in the order of time and have been sorted")
            _sort(series)
        if log.is_scattered:
            _join(series)


def _sort(series: Series) -> None:
    order = sorted(range(len(series)), key=series.times.__getitem__)
    series.times = array("d", map(series.times.__getitem__, order))
    series.columns = {column: array("d", map(values.__getitem__, order)) for column, values in series.columns.items()}


def _join(series: Series) -> None:
    """Join neighbours that are close in time and hold different columns."""
    reach = _SAME_MOMENT * min((_interval_of(series, column) for column in series.columns), default=0.0)
    times = array("d")
    rows: list[dict[str, float]] = []
    for index, time in enumerate(series.times):
        row = {column: values[index] for column, values in series.columns.items() if not math.isnan(values[index])}
        if rows and time - times[-1] <= reach and not rows[-1].keys() & row.keys():
            rows[-1].update(row)
        else:
            times.append(time)
            rows.append(row)
    series.times = times
    series.columns = {column: array("d", [row.get(column, math.nan) for row in rows]) for column in series.columns}


def _interval_of(series: Series, column: str) -> float:
    known = [time for time, value in zip(series.times, series.columns[column], strict=True) if not math.isnan(value)]
    return typical_interval(known[:10_001])

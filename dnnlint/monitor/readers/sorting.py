"""Bring the samples of each GPU into the order of time."""

from __future__ import annotations

import itertools
from array import array

from dnnlint.monitor.log import Log, Series


def sort_by_time(log: Log) -> None:
    """Sort series that are not in order: several files, rotated logs, a clock that was set back."""
    for series in log.series.values():
        times = series.times
        if any(b < a for a, b in itertools.pairwise(times)):
            log.notice("samples were not in the order of time and have been sorted")
            _sort(series)


def _sort(series: Series) -> None:
    order = sorted(range(len(series)), key=series.times.__getitem__)
    series.times = array("d", map(series.times.__getitem__, order))
    series.columns = {column: array("d", map(values.__getitem__, order)) for column, values in series.columns.items()}

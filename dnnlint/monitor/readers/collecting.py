"""Collect single values into samples, for formats that write one value a line."""

from __future__ import annotations

from collections.abc import Iterable

from dnnlint.monitor.log import NAN, Log

_FULL = 50_000


class Collector:
    """Values by GPU, time and column; samples are appended to the log in the order of their times."""

    def __init__(self, log: Log) -> None:
        """Collect for one log."""
        self._log = log
        self._rows: dict[str, dict[float, dict[str, float]]] = {}

    def add(self, gpu: str, time: float, column: str, value: float) -> None:
        """Take one value; of several for one moment the last counts."""
        samples = self._rows.setdefault(gpu, {})
        row = samples.get(time)
        if row is None:
            if len(samples) >= _FULL:
                self._write(gpu, keep=_FULL // 2)
            row = samples[time] = {}
        row[column] = value

    def finish(self) -> None:
        """Append what is left."""
        for gpu in list(self._rows):
            self._write(gpu, keep=0)

    def _write(self, gpu: str, keep: int) -> None:
        samples = self._rows[gpu]
        times = sorted(samples)
        done = times[: len(times) - keep]
        rows = [samples.pop(time) for time in done]
        columns = dict.fromkeys(column for row in rows for column in row)
        values: dict[str, Iterable[float]] = {column: [row.get(column, NAN) for row in rows] for column in columns}
        self._log.series_of(gpu).extend(done, values)

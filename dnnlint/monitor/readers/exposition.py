"""The text that a DCGM exporter or another Prometheus exporter serves, one scrape after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dnnlint.monitor.columns import METRICS, SECOND_CHOICE, Meaning
from dnnlint.monitor.log import Log, LogError
from dnnlint.monitor.numbers import NAN
from dnnlint.monitor.readers.collecting import Collector
from dnnlint.monitor.readers.options import ReadOptions

_LINE = re.compile(r"^([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+(-?\d+(?:\.\d+)?))?\s*$")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_DEFAULT_INTERVAL_S = 15.0
_LATEST_SECONDS = 1e11


def labels_of(text: str) -> dict[str, str]:
    """The labels of a metric."""
    return dict(_LABEL.findall(text))


def gpu_of(labels: dict[str, str]) -> str:
    """What tells a GPU or a MIG instance from every other one, short where one host is the only one."""
    gpu = next(
        (labels[key] for key in ("gpu", "index", "device", "minor_number", "UUID", "uuid") if key in labels), "0"
    )
    if labels.get("GPU_I_ID"):
        gpu += f" instance {labels['GPU_I_ID']}"
    host = labels.get("Hostname") or labels.get("instance") or ""
    return f"{host} {gpu}".strip()


def name_of(labels: dict[str, str]) -> str:
    """The model of the GPU."""
    return labels.get("modelName") or labels.get("name") or ""


def read_exposition(lines: Iterable[str], path: str, log: Log, options: ReadOptions) -> None:
    """Append the samples of a text of metrics; a series that comes again starts the next scrape.

    Raises:
        LogError: no metric of it is known.
    """
    reader = _Exposition(log, options)
    for line in lines:
        reader.take(line)
    reader.finish(path)


class _Exposition:
    def __init__(self, log: Log, options: ReadOptions) -> None:
        self._log = log
        self._options = options
        self._collector = Collector(log)
        self._interval_s = options.interval_s or _DEFAULT_INTERVAL_S
        self._gpus: dict[tuple[str, str], tuple[str, Meaning | None]] = {}
        self._seen: set[tuple[str, str]] = set()
        self._firm: set[str] = set()
        self._scrape = 0
        self._known = 0
        self._lines = 0

    def take(self, line: str) -> None:
        """One line of the text."""
        if line.startswith("#") or not line.strip():
            return
        self._lines += 1
        match = _LINE.match(line)
        if match is None:
            self._log.lines_skipped += 1
            return
        key = (match[1], match[2] or "")
        gpu, meaning = self._gpus.get(key) or self._learn(key)
        if match[4] is None:
            if key in self._seen:
                self._seen.clear()
                self._scrape += 1
            self._seen.add(key)
        if meaning is None or (meaning.column in self._firm and key[0] in SECOND_CHOICE):
            return
        self._known += 1
        self._collector.add(gpu, self._time(match[4]), meaning.column, _value(match[3]) * meaning.scale)

    def _learn(self, key: tuple[str, str]) -> tuple[str, Meaning | None]:
        labels = labels_of(key[1])
        meaning = self._options.mapped(key[0]) or METRICS.get(key[0])
        if meaning is not None and key[0] not in SECOND_CHOICE:
            self._firm.add(meaning.column)
        gpu = gpu_of(labels)
        if meaning is not None:
            self._log.series_of(gpu, name_of(labels))
        self._gpus[key] = (gpu, meaning)
        return gpu, meaning

    def _time(self, stamp: str | None) -> float:
        if stamp is None:
            self._log.has_times = False
            return self._scrape * self._interval_s
        seconds = float(stamp)
        return seconds / 1000.0 if seconds > _LATEST_SECONDS else seconds

    def finish(self, path: str) -> None:
        """Write the last samples and say what could not be read."""
        self._collector.finish()
        if not self._known:
            raise LogError(f"{path}: no known metric of a GPU in it, such as DCGM_FI_DEV_GPU_UTIL")
        if self._log.lines_skipped:
            self._log.notice(f"{path}: {self._log.lines_skipped} of {self._lines} lines are no metrics")
        if not self._log.has_times and self._options.interval_s is None:
            self._log.notice("scrapes have no time: one every 15 s is assumed (give --interval SECONDS)")


def _value(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return NAN

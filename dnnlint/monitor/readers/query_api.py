"""Answers of Prometheus' query API: ``/api/v1/query_range`` and ``/api/v1/query``."""

from __future__ import annotations

import json
from collections.abc import Iterator

from dnnlint.monitor.columns import METRICS, SECOND_CHOICE
from dnnlint.monitor.log import Log, LogError
from dnnlint.monitor.numbers import NAN
from dnnlint.monitor.readers.collecting import Collector
from dnnlint.monitor.readers.exposition import gpu_of, name_of
from dnnlint.monitor.readers.text import TextLog


def read_query_api(file: TextLog, path: str, log: Log) -> None:
    """Append the samples of one or several answers in a file.

    Raises:
        LogError: the file is not JSON from its start, or holds no metric of a GPU.
    """
    collector = Collector(log)
    log.is_scattered = True
    known = 0
    found = [series for answer in _documents(file.read(), path, log) for series in _series_in(answer, path, log)]
    given = {_labels(series).get("__name__", "") for series in found}
    firm = {METRICS[name].column for name in given - SECOND_CHOICE if name in METRICS}
    for series in found:
        known += _take(series, firm, collector, log)
    collector.finish()
    if not known:
        raise LogError(f"{path}: no series named like a metric of a GPU, such as DCGM_FI_DEV_GPU_UTIL")


def _documents(text: str, path: str, log: Log) -> Iterator[object]:
    decoder, start = json.JSONDecoder(), 0
    text = text.lstrip("\ufeff")
    while start < len(text):
        rest = len(text) - len(text[start:].lstrip())
        if rest >= len(text):
            return
        try:
            answer, start = decoder.raw_decode(text, rest)
        except ValueError as error:
            if start == 0:
                raise LogError(f"{path}: not valid JSON: {error}") from error
            log.notice(f"{path}: the text after {start} characters is not valid JSON and is left out")
            return
        yield answer


def _series_in(answer: object, path: str, log: Log) -> Iterator[dict[str, object]]:
    if not isinstance(answer, dict):
        return
    if answer.get("status") == "error":
        log.notice(f"{path}: the query failed: {str(answer.get('error'))[:120]}")
    data = answer.get("data")
    result = data.get("result") if isinstance(data, dict) else None
    for series in result if isinstance(result, list) else ():
        if isinstance(series, dict):
            yield series


def _labels(series: dict[str, object]) -> dict[str, str]:
    metric = series.get("metric")
    return {str(key): str(value) for key, value in metric.items()} if isinstance(metric, dict) else {}


def _take(series: dict[str, object], firm: set[str], collector: Collector, log: Log) -> int:
    labels = _labels(series)
    name = labels.pop("__name__", "")
    meaning = METRICS.get(name)
    if meaning is None or (name in SECOND_CHOICE and meaning.column in firm):
        if not name:
            log.notice("a series without a metric's name, the result of an expression, is left out")
        return 0
    gpu = gpu_of(labels)
    log.series_of(gpu, name_of(labels))
    values = series.get("values", [series.get("value")])
    taken = 0
    for pair in values if isinstance(values, list) else ():
        if isinstance(pair, list) and len(pair) == 2:
            collector.add(gpu, _number(pair[0]), meaning.column, _number(pair[1]) * meaning.scale)
            taken += 1
    return taken


def _number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return NAN

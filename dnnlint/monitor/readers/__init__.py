"""Read a recorded log of any known format."""

from __future__ import annotations

import os
from collections.abc import Sequence

from dnnlint.monitor.log import Log, LogError
from dnnlint.monitor.readers.options import ReadOptions
from dnnlint.monitor.readers.sorting import sort_by_time
from dnnlint.monitor.readers.text import open_text

__all__ = ["ReadOptions", "read_logs"]

_EVENT_FILE = "events.out.tfevents."


def read_logs(paths: Sequence[str], options: ReadOptions) -> Log:
    """Read one or several files as one log; parts of a GPU's record are put in the order of time.

    Raises:
        LogError: a file cannot be read, or its format is not known.
    """
    log = Log(", ".join(paths))
    for path in paths:
        if _is_tensorboard(path):
            from dnnlint.monitor.readers.tensorboard import read_tensorboard

            read_tensorboard(path, log, options)
        else:
            _read_text(path, log, options)
    if not any(len(series) for series in log.series.values()):
        raise LogError(f"{log.source}: no sample of a GPU in it")
    sort_by_time(log)
    return log


def _is_tensorboard(path: str) -> bool:
    return os.path.isdir(path) or _EVENT_FILE in os.path.basename(path)


def _read_text(path: str, log: Log, options: ReadOptions) -> None:
    with open_text(path) as file:
        start = file.peek_lines()
        form = _format_of(start, options.columns)
        if form == "query-api":
            from dnnlint.monitor.readers.query_api import read_query_api

            read_query_api(file, path, log)
        elif form == "prometheus":
            from dnnlint.monitor.readers.exposition import read_exposition

            read_exposition(file, path, log, options)
        elif form:
            from dnnlint.monitor.readers.table import read_table

            read_table(file, path, log, options, is_dmon=form == "dmon")
        else:
            raise LogError(
                f"{path}: neither a CSV of nvidia-smi nor dmon, DCGM or Prometheus metrics, an answer of the query API "
                "or TensorBoard events; a CSV without a heading needs --columns"
            )
    log.format = log.format if log.format in ("", form) else f"{log.format} and {form}"
    log.format = log.format or form


def _format_of(lines: Sequence[str], columns: Sequence[str]) -> str:
    if columns:
        return "nvidia-smi"
    for form, test in _FORMATS.items():
        if any(test(line) for line in lines):
            return form
    return ""


def _is_query_answer(line: str) -> bool:
    return line.lstrip().startswith("{") and '"' in line


def _is_heading(line: str) -> bool:
    from dnnlint.monitor.readers.table import heading_of

    return heading_of(line) is not None


def _is_dmon(line: str) -> bool:
    words = line.lstrip("#").replace(",", " ").split()
    return line.startswith("#") and "gpu" in words and "Idx" not in words and len(words) > 2


def _is_metric(line: str) -> bool:
    if line.startswith(("# HELP ", "# TYPE ")):
        return True
    name = line.partition("{")[0].split(" ")[0]
    return name.startswith(("DCGM_FI_", "nvidia_smi_", "nvidia_gpu_"))


_FORMATS = {
    "prometheus": _is_metric,
    "dmon": _is_dmon,
    "nvidia-smi": _is_heading,
    "query-api": _is_query_answer,
}

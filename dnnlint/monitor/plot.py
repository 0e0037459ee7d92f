"""A picture of a log: utilisation, memory and temperature over time."""

from __future__ import annotations

import os
from typing import NamedTuple

from dnnlint.monitor.columns import MEMORY_USED, TEMPERATURE, UTILISATION
from dnnlint.monitor.log import Log, LogError, Series
from dnnlint.monitor.question import Question
from dnnlint.monitor.statistics import bin_edges

_POINTS = 2_000
FORMATS = ("png", "svg", "pdf")


class _Panel(NamedTuple):
    column: str
    label: str
    scale: float


_PANELS = (
    _Panel(UTILISATION, "utilisation, %", 1.0),
    _Panel(MEMORY_USED, "memory, GiB", 2.0**-30),
    _Panel(TEMPERATURE, "temperature, °C", 1.0),
)


def plot(log: Log, question: Question, path: str) -> None:
    """Write the picture; the ending of the name decides the format.

    Raises:
        LogError: matplotlib is missing, the ending is not known, or the file cannot be written.
    """
    ending = os.path.splitext(path)[1].lstrip(".").lower()
    if ending not in FORMATS:
        raise LogError(f"{path}: --plot writes {', '.join(FORMATS)}")
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise LogError("--plot needs matplotlib: pip install 'dnnlint[monitor]'") from error
    panels = [panel for panel in _PANELS if any(series.known(panel.column) for series in log.series.values())]
    figure = Figure(figsize=(10, 2.4 * len(panels) + 0.8), layout="constrained")
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    start = min(series.times[0] for series in log.series.values() if len(series))
    for axis, panel in zip(axes, panels, strict=True):
        for series in log.series.values():
            axis.plot(*_thinned(series, panel, start), linewidth=1, label=f"GPU {series.gpu}")
        _draw_limits(axis, panel, question)
        axis.set_ylabel(panel.label)
        axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
    if len(log.series) <= 16:
        axes[0].legend(loc="lower right", ncols=4, fontsize="small")
    axes[-1].set_xlabel("minutes")
    figure.suptitle(f"{os.path.basename(log.source)}, {question.mode}", fontsize="medium")
    try:
        figure.savefig(path, format=ending, dpi=120)
    except OSError as error:
        raise LogError(f"{path}: cannot be written: {error.strerror}") from error


def _thinned(series: Series, panel: _Panel, start: float) -> tuple[list[float], list[float]]:
    """Minutes and means of at most 2,000 bins; a picture has no room for more."""
    values = series.columns.get(panel.column)
    times: list[float] = []
    means: list[float] = []
    for first, end in bin_edges(len(series), _POINTS) if values is not None else ():
        known = [value for value in values[first:end] if value == value] if values is not None else []
        if known:
            times.append((series.times[first] - start) / 60.0)
            means.append(sum(known) / len(known) * panel.scale)
    return times, means


def _draw_limits(axis: object, panel: _Panel, question: Question) -> None:
    from matplotlib.axes import Axes

    assert isinstance(axis, Axes)
    if panel.column == UTILISATION:
        axis.axhspan(*question.usage_range, color="green", alpha=0.1)
        axis.set_ylim(0, 105)
    elif panel.column == TEMPERATURE:
        axis.axhline(question.temperature_limit_c or question.limits.temperature_c, color="red", linewidth=1)
    elif question.expectation is not None:
        axis.axhline(question.expectation.device_bytes * panel.scale, color="red", linestyle="--", linewidth=1)

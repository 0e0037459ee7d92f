"""A small chart of the memory of one step, in text."""

from __future__ import annotations

from collections.abc import Sequence

from dnnlint.estimators.report.schema import TimelinePoint

_BLOCKS = " ▁▂▃▄▅▆▇█"
_ASCII = " .:-=+*##"
HEIGHT = 5
WIDTH = 64


def draw(points: Sequence[TimelinePoint], width: int = WIDTH, height: int = HEIGHT, unicode: bool = True) -> list[str]:
    """Return ``height`` lines of columns as high as the allocated memory, and a line that names the phases."""
    if not points:
        return []
    columns = [_span(points, index, width) for index in range(min(width, len(points)))]
    top = max(max(point.allocated_bytes for point in column) for column in columns) or 1
    glyphs = _BLOCKS if unicode else _ASCII
    steps = len(glyphs) - 1
    heights = [round(max(point.allocated_bytes for point in column) / top * height * steps) for column in columns]
    lines = [
        "".join(glyphs[min(steps, max(0, value - row * steps))] for value in heights).rstrip()
        for row in reversed(range(height))
    ]
    return [*lines, _phases([column[0].phase for column in columns])]


def _span(points: Sequence[TimelinePoint], index: int, width: int) -> Sequence[TimelinePoint]:
    count = min(width, len(points))
    return points[index * len(points) // count : (index + 1) * len(points) // count]


def _phases(phases: Sequence[str]) -> str:
    """Write each phase's name below its first column, cut where the next one starts."""
    text = ""
    for index, phase in enumerate(phases):
        if index == 0 or phase != phases[index - 1]:
            end = next((later for later in range(index, len(phases)) if phases[later] != phase), len(phases))
            text = text.ljust(index) + f"|{phase}"[: end - index]
    return text

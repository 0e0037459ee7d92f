"""The source lines that reports show, read again only for files with findings."""

from __future__ import annotations

from collections.abc import Mapping

_CELL = ".ipynb:cell "


class Excerpts:
    """Lines by the path and line of a finding."""

    def __init__(self, given: Mapping[str, bytes] | None = None) -> None:
        """Read lines from the disk, or from the given contents by name."""
        self._given = dict(given or {})
        self._lines: dict[str, list[str]] = {}

    def lines(self, path: str) -> list[str]:
        """The lines of a file or of a cell; none when it cannot be read any more."""
        if path not in self._lines:
            self._load(path)
        return self._lines[path]

    def line(self, path: str, number: int) -> str:
        """One line, counted from 1; empty when there is none."""
        lines = self.lines(path)
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def _load(self, path: str) -> None:
        file, is_cell, _ = path.partition(_CELL)
        name = f"{file}.ipynb" if is_cell else path
        self._lines[path] = []
        from dnnlint.engine.notebook import cell_sources
        from dnnlint.engine.source import SourceProblem, decode, read_bytes, split_lines

        try:
            data = self._given[name] if name in self._given else read_bytes(name)
            if is_cell:
                self._lines.update((f"{name}:cell {n}", lines) for n, lines in cell_sources(data).items())
            else:
                self._lines[path] = split_lines(decode(data).text)
        except (OSError, SourceProblem, ValueError, LookupError, AttributeError, TypeError):
            return

"""Read the code cells of a Jupyter notebook as one module, with magics and shell commands taken out."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from typing import NamedTuple

from dnnlint.engine.prefilter import compiles
from dnnlint.engine.source import SourceProblem

# Cell magics whose cell is still Python; the cell of any other is another language or plain text.
_PYTHON_CELL_MAGICS = frozenset({"time", "timeit", "capture", "prun", "python", "python3", "debug", "memit", "mprun"})
_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
_SURROGATE = re.compile("[\\ud800-\\udfff]")
_COMMAND = re.compile(
    r"^([ \t]*)(?:[!%?].*|(?:pip|conda|mamba)[ \t]+install\b.*|[\w.\[\]\"']+\?\??[ \t]*|[\w., ]+=[ \t]*[!%].*)$"
)


class Notebook(NamedTuple):
    """The code of a notebook; ``first_lines[i]`` is the line of ``text`` at which ``cells[i]`` starts."""

    text: str
    first_lines: tuple[int, ...]
    cells: tuple[int, ...]
    """The number of each code cell, counted from 1 over all cells of the notebook."""

    def cell_place(self, line: int) -> tuple[int, int]:
        """The cell of a line of ``text`` and the line within it."""
        index = max(bisect_right(self.first_lines, line) - 1, 0)
        return self.cells[index], line - self.first_lines[index] + 1


def read_notebook(data: bytes) -> Notebook:
    """Join the code cells of a notebook.

    Raises:
        SourceProblem: the file is not a notebook.
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        line, column = getattr(error, "lineno", 1), getattr(error, "colno", 1)
        raise SourceProblem(f"the file is not a notebook: {_described(error)}", line, column) from error
    cells = document.get("cells") if isinstance(document, dict) else None
    if not isinstance(cells, list):
        raise SourceProblem("the file is not a notebook: it has no list of cells")
    lines: list[str] = []
    first_lines: list[int] = []
    numbers: list[int] = []
    for number, cell in enumerate(cells, 1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            first_lines.append(len(lines) + 1)
            numbers.append(number)
            source = _source(cell.get("source"))
            if _SURROGATE.search("\n".join(source)):
                raise SourceProblem(f"cell {number} holds half of a surrogate pair, which is no character")
            lines += _python_lines(source)
    return Notebook("\n".join(lines) + "\n", tuple(first_lines) or (1,), tuple(numbers) or (1,))


def _described(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else f"it is no JSON, {error}"


def cell_sources(data: bytes) -> dict[int, list[str]]:
    """The lines of each code cell as they stand, for excerpts."""
    document = json.loads(data)
    cells = enumerate(document["cells"], 1)
    return {number: _source(cell.get("source")) for number, cell in cells if cell.get("cell_type") == "code"}


def _source(source: object) -> list[str]:
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    return source.replace("\r\n", "\n").split("\n") if isinstance(source, str) else []


def _python_lines(lines: list[str]) -> list[str]:
    # A line that starts with % may also go on with an expression; only a cell that is no Python holds commands.
    if compiles("\n".join(lines).encode("utf-8", "replace"), top_level_await=True):
        return lines
    first = next((line for line in lines if line.strip()), "")
    magic = _CELL_MAGIC.match(first)
    if magic is not None and magic.group(1) not in _PYTHON_CELL_MAGICS:
        return [""] * len(lines)
    neutral: list[str] = []
    in_command = False
    for line in lines:
        command = _COMMAND.match(line)
        if in_command:  # the rest of a command that a backslash continues
            neutral.append("")
        else:
            neutral.append(f"{command.group(1)}pass" if command else line)
        in_command = (in_command or command is not None) and line.rstrip().endswith("\\")
    return neutral

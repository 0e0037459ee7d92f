"""Notebooks as one module."""

from __future__ import annotations

import pytest

from dnnlint.engine.notebook import cell_sources, read_notebook
from dnnlint.engine.source import SourceProblem
from tests.support import notebook


def test_cells_are_joined_and_found_again() -> None:
    """A line of the module leads back to the cell, counted over all cells, and the line in it."""
    book = read_notebook(notebook("a = 1\nb = 2", ("markdown", "# text"), ("code", ["c = 3\n", "d = 4\n"])))
    assert book.text == "a = 1\nb = 2\nc = 3\nd = 4\n\n"
    assert [book.cell_place(line) for line in (1, 2, 3, 4)] == [(1, 1), (1, 2), (3, 1), (3, 2)]


NEUTRALISED = {
    "%matplotlib inline": "pass",
    "!pip install torch": "pass",
    "pip install torch": "pass",
    "?torch.nn": "pass",
    "torch.nn?": "pass",
    "torch.nn??": "pass",
    "files = !ls": "pass",
    "out, err = %sx ls": "pass",
    "if x:\n    !ls": "if x:\n    pass",
    "!pip install \\\n  torch \\\n  timm\nx = 1": "pass\n\n\nx = 1",
    "%%time\nx = 1": "pass\nx = 1",
    "%%bash\nls *": "\n",
    "\n%%html\n<b>": "\n\n",
    "x = a % b": "x = a % b",
    "x = (a\n  % b)": "x = (a\n  % b)",
    "await f()": "await f()",
    "x: int = 1": "x: int = 1",
}


@pytest.mark.parametrize(("cell", "text"), NEUTRALISED.items(), ids=repr)
def test_commands_of_the_notebook_are_neutralised(cell: str, text: str) -> None:
    """Magics and shell commands become ``pass``, cells in other languages blank lines; no line moves."""
    assert read_notebook(notebook(cell)).text == text + "\n"


@pytest.mark.parametrize("cells", [(), (("markdown", "x"),), (("code", None),)], ids=["none", "no code", "no source"])
def test_notebook_without_code(cells: tuple[tuple[str, object], ...]) -> None:
    """There is a place for every line even when there is no code."""
    book = read_notebook(notebook(*cells))
    assert not book.text.strip()
    assert book.cell_place(1)[1] == 1


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"cells": 1}', b"\xff\xfe\x00", b"[" * 100_000], ids=repr)
def test_not_a_notebook(data: bytes) -> None:
    """Anything but a notebook is a problem of the file."""
    with pytest.raises(SourceProblem, match="not a notebook"):
        read_notebook(data)


def test_cells_are_shown_as_they_stand() -> None:
    """Excerpts show the cell, not what was made of it."""
    assert cell_sources(notebook("!ls\nx", ("markdown", "y"))) == {1: ["!ls", "x"]}

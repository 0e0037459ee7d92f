"""Whatever a file holds: a clear message, the right exit code, and every other file still checked."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dnnlint.engine import check as check_module
from dnnlint.engine import running
from dnnlint.engine.source import read_bytes
from dnnlint.finding import Severity
from dnnlint.rule import Report, Rule
from dnnlint.rules import _table
from tests.support import RunCommand, notebook, write

pytestmark = pytest.mark.usefixtures("fake_rules")

GOOD = b"import torch\nodd()\n"

CLEAN = {
    "empty": b"",
    "blank": b"\n\n   \n",
    "only a comment": b"# torch",
    "byte order mark": b"\xef\xbb\xbfimport torch\n",
    "latin-1 cookie": b"# -*- coding: latin-1 -*-\nimport torch\nx = '\xe9'\n",
    "carriage returns": b"import torch\r\nif x:\r\n    pass\r\n",
    "lone carriage returns": b"import torch\rif x:\r    pass\r",
    "tabs": b"import torch\nif x:\n\tpass\n",
    "form feed": b"import torch\n\x0c\nx = 1\n",
    "no line break at the end": b"import torch",
    "blanks at the end": b"import torch\n    ",
    "not UTF-8 with nothing to do with training": b"# coding: latin-1\nx = '\xe9'\n",
    "new syntax": b"import torch\ntype X = int\ndef f[T](x: T) -> T: ...\n",
    "print statement in a string": b"import torch\nx = \"print 'x'\"\n",
}


@pytest.mark.parametrize("data", CLEAN.values(), ids=CLEAN)
def test_unusual_but_valid(data: bytes, project: Path, dnnlint: RunCommand) -> None:
    """No finding, no word on standard error."""
    write(project, {"a.py": data})
    run = dnnlint("check", "--format", "concise")
    assert (run.code, run.out, run.err) == (0, "No findings in 1 file.\n", "")


FAULTY = {
    "syntax error": (b"import torch\ndef f(:\n", "DNN000", (2, 7), "Syntax error: "),
    "syntax error without training": (b"def f(:\n", "DNN000", (1, 7), "Syntax error: "),
    "Python 2": (b"import torch\nprint 'x'\n", "DNN000", (2, 1), "Syntax error: Missing parentheses"),
    "indentation": (b"import torch\nif x:\npass\n", "DNN000", (3, 1), "Syntax error: "),
    "mixed tabs": (b"import torch\nif x:\n\ty\n        z\n", "DNN000", (4, 0), "Syntax error: "),
    "unfinished": (b"import torch\nx = (1,\n", "DNN000", (2, 5), "Syntax error: "),
    "continuation at the end": (b"import torch\nx = 1 \\", "DNN000", (2, 0), "Syntax error: "),
    "NUL": (b"import torch\nx = \0\n", "DNN000", (2, 5), "The file holds a NUL byte"),
    "binary": (b"\x7fELF\x02\x01\x00torch", "DNN000", (1, 7), "The file holds a NUL byte"),
    "not UTF-8": (b"import torch\nx = '\xe9'\n", "DNN000", (2, 6), "The bytes are not valid `utf-8`: "),
    "unknown encoding": (b"# coding: klingon\nimport torch\n", "DNN000", (1, 1), "The encoding `klingon` is unknown."),
    "cookie against the byte order mark": (
        b"\xef\xbb\xbf# coding: latin-1\nimport torch\n",
        "DNN000",
        (1, 1),
        "The file declares the encoding `latin-1` but starts with",
    ),
    "the same without training": (
        b"\xef\xbb\xbf# coding: utf8\n",
        "DNN000",
        (1, 1),
        "The file declares the encoding `utf8`",
    ),
    "3,000 chained operators": (
        b"import torch\n\nx = " + b" + ".join([b"a"] * 3000),
        "DNN003",
        (3, 1),
        "The file is not checked: ",
    ),
    "3,000 brackets": (
        b"import torch\nx = " + b"(" * 3000 + b")" * 3000,
        "DNN003",
        (2, 1),
        "The file is not checked: ",
    ),
    "3,000 nested calls": (
        b"import torch\nx = " + b"f(" * 3000 + b")" * 3000,
        "DNN003",
        (2, 1),
        "The file is not checked: ",
    ),
}


@pytest.mark.parametrize(("data", "code", "place", "message"), FAULTY.values(), ids=FAULTY)
def test_file_at_fault(
    data: bytes, code: str, place: tuple[int, int], message: str, project: Path, dnnlint: RunCommand
) -> None:
    """One finding at its place, within a second, and the neighbours are checked all the same."""
    write(project, {"a.py": GOOD, "m.py": data, "z.py": GOOD})
    started = time.process_time()
    run = dnnlint("check", "--format", "json", "--no-cache")
    assert time.process_time() - started < 1.0
    assert (run.code, run.err) == (1, "")
    before, fault, after = json.loads(run.out)["findings"]
    assert (before["path"], after["path"]) == ("a.py", "z.py")
    assert (fault["code"], fault["line"]) == (code, place[0])
    assert not place[1] or fault["column"] == place[1]
    assert fault["message"].startswith(message)
    assert fault["message"][-1] in ".?"
    assert not fault["message"].endswith("?.")
    assert "\n" not in fault["message"]
    assert len(fault["message"]) < 200


def test_file_that_cannot_be_read(project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named on standard error and in the summary, the exit code is 2, the neighbours' findings are there."""
    write(project, {"a.py": GOOD, "m.py": GOOD, "z.py": GOOD})

    def read(path: str) -> bytes:
        if path.endswith("m.py"):
            raise PermissionError(13, "Permission denied")
        return read_bytes(path)

    monkeypatch.setattr(check_module, "read_bytes", read)
    run = dnnlint("check", "--format", "json")
    document = json.loads(run.out)
    assert run.code == 2
    assert [finding["path"] for finding in document["findings"]] == ["a.py", "z.py"]
    assert document["summary"]["errors"] == [{"path": "m.py", "message": "cannot be read: Permission denied"}]
    assert run.err == "dnnlint: error: m.py: cannot be read: Permission denied\n"
    assert dnnlint("check", "--exit-zero").code == 2


def test_rule_that_crashes(project: Path, dnnlint: RunCommand) -> None:
    """Rule and file are named; other rules and other files go on; nothing of it is cached."""
    write(project, {"a.py": GOOD, "m.py": b"import torch\nboom()\nbad()\n"})
    for _ in range(2):
        run = dnnlint("check", "--format", "concise")
        assert run.code == 2
        assert [line.split(" ")[0] for line in run.out.splitlines()[:2]] == ["a.py:2:1:", "m.py:3:1:"]
        assert run.err.startswith(
            "dnnlint: error: m.py: rule boom-call (DNN904) crashed: ValueError: no idea (conftest"
        )
        assert "Traceback" not in run.err


def test_report_on_a_node_of_another_tree(project: Path, dnnlint: RunCommand) -> None:
    """It is a crash of the rule that made it."""
    write(project, {"a.py": b"import torch\nlost()\nodd()\n"})
    run = dnnlint("check", "--format", "concise")
    assert run.code == 2
    assert "a.py: rule lost-call (DNN907) crashed: KeyError" in run.err
    assert "DNN903" in run.out


def test_analysis_that_crashes(project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reported like a rule that crashes."""

    def crash(*arguments: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(running, "build_program", crash)
    write(project, {"a.py": GOOD})
    run = dnnlint("check")
    assert run.code == 2
    assert "a.py: the analysis crashed: KeyError: 'x'" in run.err


@pytest.mark.parametrize("place", ["the analysis", "a rule"])
def test_analysis_that_recurses_too_deeply(
    place: str, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is reported as not checked."""

    def recurse(*arguments: object) -> Iterator[Report]:
        raise RecursionError

    if place == "the analysis":
        monkeypatch.setattr(running, "build_program", recurse)
    else:
        rule = Rule("DNN901", "bad-call", Severity.ERROR, "", recurse)
        monkeypatch.setattr(_table, "load", lambda: (rule,))
    write(project, {"a.py": GOOD})
    run = dnnlint("check", "--format", "concise")
    assert (run.code, run.err) == (1, "")
    assert (
        "DNN003 [unchecked-file] The file is not checked: its statements or expressions are nested too deeply."
        in run.out
    )


def test_two_megabytes_are_checked(project: Path, dnnlint: RunCommand) -> None:
    """A large file takes longer, but it is checked."""
    line = b"x = '" + b"0123456789" * 40 + b"'  # of data\n"
    write(project, {"a.py": b"import torch\nodd()\n" + line * (2_000_000 // len(line))})
    started = time.process_time()
    run = dnnlint("check", "--format", "concise", "--no-cache")
    assert run.out.startswith("a.py:2:1: advice DNN903")
    assert time.process_time() - started < 30


NOTEBOOKS = {
    "a finding": (
        notebook("!pip install torch", ("markdown", "# x"), "import torch\nodd()"),
        "a.ipynb:cell 3:2:1: advice DNN903",
    ),
    "a syntax error": (notebook("import torch", "x = (\n"), "a.ipynb:cell 2:1:5: error DNN000"),
    "no JSON": (b'{"cells": [torch', "a.ipynb:1:12: error DNN000 [syntax-error] The file is not a notebook: "),
    "not even JSON": (b"{", "a.ipynb:1:2: error DNN000 [syntax-error] The file is not a notebook: it is no JSON"),
    "null": (b"null", "a.ipynb:1:1: error DNN000 [syntax-error] The file is not a notebook: it has no list of cells."),
    "a list": (b'["cells"]', "a.ipynb:1:1: error DNN000"),
    "a text": (b'"cells"', "a.ipynb:1:1: error DNN000"),
    "cells of another kind": (b'{"cells": 1}', "a.ipynb:1:1: error DNN000"),
    "empty": (b"", "No findings in 1 file."),
    "half a character": (
        notebook("import torch", "x = '\ud800'"),
        "a.ipynb:1:1: error DNN000 [syntax-error] Cell 2 holds half of a surrogate pair, which is no character.",
    ),
    "no cells": (b'{"torch": 1}', "a.ipynb:1:1: error DNN000 [syntax-error] The file is not a notebook: "),
}


@pytest.mark.parametrize(("data", "start"), NOTEBOOKS.values(), ids=NOTEBOOKS)
def test_notebook(data: bytes, start: str, project: Path, dnnlint: RunCommand) -> None:
    """Places are those within the cell; the second run answers from the cache with the same."""
    write(project, {"a.ipynb": data})
    first, second = (dnnlint("check", "--format", "concise").out for _ in range(2))
    assert first.startswith(start)
    assert second == first


def test_pipe_is_no_file(project: Path, dnnlint: RunCommand) -> None:
    """It is named and not read, which would not end; the files beside it are checked."""
    write(project, {"a.py": GOOD})
    os.mkfifo("pipe.py")
    run = dnnlint("check", "--format", "concise", "pipe.py", "a.py")
    assert (run.code, run.err) == (2, "dnnlint: error: pipe.py: not a regular file\n")
    assert run.out.startswith("a.py:2:1: advice DNN903")

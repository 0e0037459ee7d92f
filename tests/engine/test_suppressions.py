"""Comments that silence findings, and findings about such comments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import RunCommand, write

pytestmark = pytest.mark.usefixtures("fake_rules")

Found = list[tuple[str, int]]


def check(dnnlint: RunCommand, project: Path, code: str, *arguments: str) -> tuple[Found, int]:
    """The findings in a module, as code and line, and the number of suppressed ones."""
    write(project, {"a.py": "import torch\n" + code})
    run = dnnlint("check", "--format", "json", *arguments)
    assert run.err == ""
    document = json.loads(run.out)
    found = [(finding["code"], finding["line"] - 1) for finding in document["findings"]]
    return found, document["summary"]["suppressed"]


SILENT = {
    "noqa": "bad()  # noqa",
    "noqa in capitals": "bad()  # NOQA",
    "noqa with the code": "bad()  # noqa: DNN901",
    "noqa with several codes": "bad()  # noqa: E501, DNN901",
    "noqa with codes and blanks": "bad()  # noqa:E501 DNN901",
    "noqa with a prefix": "bad()  # noqa: DNN9",
    "noqa behind a comment": "bad()  # on purpose  # noqa: DNN901",
    "ignore": "bad()  # dnnlint: ignore",
    "ignore without blanks": "bad()  #dnnlint:ignore",
    "ignore by code": "bad()  # dnnlint: ignore[DNN901]",
    "ignore by name": "bad()  # dnnlint: ignore[bad-call]",
    "ignore by family": "bad()  # dnnlint: ignore[fake]",
    "ignore of several": "bad(); old()  # dnnlint: ignore[bad-call, DNN902]",
    "ignore with a reason": "bad()  # dnnlint: ignore[bad-call] since it is tested",
    "two comments in one": "bad(); old()  # dnnlint: ignore[bad-call]  # dnnlint: ignore[old-call]",
    "file": "# dnnlint: ignore-file\nbad()\nold()",
    "file by name": "bad()\n# dnnlint: ignore-file[bad-call]",
    "last line of a statement": "bad(\n    1,\n)  # dnnlint: ignore[bad-call]",
    "middle line of a statement": "x = [\n    bad(),  # dnnlint: ignore[bad-call]\n]",
    "first line of a statement": "x = [  # dnnlint: ignore[bad-call]\n    bad(),\n]",
    "own line inside a statement": "x = [\n    # dnnlint: ignore[bad-call]\n    bad(),\n]",
    "header of a loop": "while (\n    True\n):  # dnnlint: ignore[while-loop]\n    pass",
    "one-line body": "if x: bad(\n    1)  # dnnlint: ignore[bad-call]",
    "in a function": "def f():\n    if x:\n        bad()  # dnnlint: ignore[bad-call]",
    "continued line": "x = 1 + \\\n    bad()  # dnnlint: ignore[bad-call]",
}


@pytest.mark.parametrize("code", SILENT.values(), ids=SILENT)
def test_finding_is_silenced(code: str, dnnlint: RunCommand, project: Path) -> None:
    """On any line of its statement, by any name, and nothing is called unused."""
    found, suppressed = check(dnnlint, project, code + "\n")
    assert found == []
    assert suppressed >= 1


LOUD = {
    "another rule": ("bad()  # dnnlint: ignore[old-call]", [("DNN901", 1), ("DNN001", 1)]),
    "another tool": ("bad()  # noqa: E501", [("DNN901", 1)]),
    "another line": ("bad()\nx = 1  # dnnlint: ignore[bad-call]", [("DNN901", 1), ("DNN001", 2)]),
    "the line above": ("# dnnlint: ignore[bad-call]\nbad()", [("DNN001", 1), ("DNN901", 2)]),
    "the body, not the header": (
        "while True:\n    pass  # dnnlint: ignore[while-loop]",
        [("DNN906", 1), ("DNN001", 2)],
    ),
    "the header, not the body": (
        "while bad():  # dnnlint: ignore[bad-call]\n    bad()",
        [("DNN906", 1), ("DNN901", 2)],
    ),
    "in a string": ("bad('''\n# dnnlint: ignore''')", [("DNN901", 1)]),
    "in a formatted string": ("bad(f'# dnnlint: ignore {x}')", [("DNN901", 1)]),
    "nothing to silence": ("x = 1  # dnnlint: ignore", [("DNN001", 1)]),
    "noqa with nothing to silence": ("x = 1  # noqa", []),
    "own code with nothing to silence": ("x = 1  # noqa: E501, DNN901", [("DNN001", 1)]),
    "file with nothing to silence": ("# dnnlint: ignore-file[bad-call]\nx = 1", [("DNN001", 1)]),
    "half used": ("bad()  # dnnlint: ignore[bad-call, old-call]", [("DNN001", 1)]),
    "unknown name": ("bad()  # dnnlint: ignore[bad-cal]", [("DNN901", 1), ("DNN002", 1)]),
    "unknown code": ("bad()  # noqa: DNN999", [("DNN901", 1), ("DNN002", 1)]),
    "unknown instruction": ("bad()  # dnnlint: disable", [("DNN901", 1), ("DNN002", 1)]),
    "empty list": ("bad()  # dnnlint: ignore[]", [("DNN901", 1), ("DNN002", 1)]),
}


@pytest.mark.parametrize(("code", "expected"), LOUD.values(), ids=LOUD)
def test_finding_is_not_silenced(code: str, expected: Found, dnnlint: RunCommand, project: Path) -> None:
    """What silences nothing is reported, what names no rule as well; comments of other tools are not ours."""
    assert check(dnnlint, project, code + "\n")[0] == expected


def test_place_and_hint_of_an_unknown_name(dnnlint: RunCommand, project: Path) -> None:
    """The finding points at the word and names the nearest rule."""
    write(project, {"a.py": "import torch\nx = 1  # dnnlint: ignore[bad-cal]\n"})
    finding = json.loads(dnnlint("check", "--format", "json").out)["findings"][0]
    assert (finding["line"], finding["column"], finding["end_column"]) == (2, 26, 33)
    assert finding["message"] == 'The suppression `bad-cal` names no rule (did you mean "bad-call"?).'


def test_suppression_of_a_rule_that_is_off_is_not_unused(dnnlint: RunCommand, project: Path) -> None:
    """A narrower selection makes no comment superfluous."""
    code = "x = 1  # dnnlint: ignore[bad-call]\n"
    assert check(dnnlint, project, code, "--ignore", "DNN901")[0] == []
    assert check(dnnlint, project, code, "--select", "DNN902,unused-suppression")[0] == []
    assert check(dnnlint, project, code, "--select", "DNN901")[0] == []


def test_findings_about_suppressions_can_be_switched_off(dnnlint: RunCommand, project: Path) -> None:
    """By configuration like any other, and for a file by its comment."""
    code = "x = 1  # dnnlint: ignore\ny = 2  # dnnlint: disable\n"
    assert check(dnnlint, project, code, "--ignore", "DNN001,DNN002")[0] == []
    assert check(dnnlint, project, code + "# dnnlint: ignore-file[unused-suppression]\n")[0] == [("DNN002", 2)]


def test_comment_in_a_file_about_something_else(dnnlint: RunCommand, project: Path) -> None:
    """Our own comments are checked in every file."""
    write(project, {"b.py": "x = 1  # dnnlint: ignore[nonsense]\n"})
    assert dnnlint("check", "--format", "concise").out.startswith("b.py:1:26: warning DNN002")

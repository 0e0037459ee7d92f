"""The output formats: golden reports, the schema of SARIF, and what must survive in each."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from dnnlint.reports import FORMATS
from tests.support import Golden, RunCommand, notebook, write

pytestmark = pytest.mark.usefixtures("fake_rules")

SCHEMA = json.loads(Path(__file__).with_name("sarif-2.1.0.schema.json").read_text(encoding="utf-8"))
PROJECT: dict[str, str | bytes] = {
    "train.py": (
        "import torch\n\n\ndef train(model):\n\tbad(model)\n    # dnnlint: ignore[old-call]\n".replace("    ", "\t")
        + "\tx = [old(), 'é', '漢字', odd(1,\n\t\t2)]\n\twhile x:\n\t\tbad()  # noqa: DNN901\n"
    ),
    "broken, 100%.py": "import torch\ndef f(:\n",
    "book.ipynb": notebook("!pip install torch", ("markdown", "text"), "import torch\nbad()"),
    "boom.py": "import torch\nboom()\n",
}


@pytest.mark.parametrize("output_format", FORMATS)
def test_report(output_format: str, project: Path, dnnlint: RunCommand, golden: Golden) -> None:
    """The whole report of a small project."""
    write(project, PROJECT)
    run = dnnlint("check", "--format", output_format)
    assert run.code == 2
    report = run.out.replace(sys.modules["dnnlint"].__version__, "VERSION")
    golden(f"report.{output_format}.txt", re.sub(r"conftest\.py:\d+", "conftest.py:N", report))


EMPTY = {
    "text": "No findings in 1 file.\n",
    "concise": "No findings in 1 file.\n",
    "github": "",
}


@pytest.mark.parametrize("output_format", FORMATS)
def test_clean_run_is_a_valid_empty_report(output_format: str, project: Path, dnnlint: RunCommand) -> None:
    """Programs that read a report need no special case."""
    write(project, {"a.py": "import torch\n"})
    run = dnnlint("check", "--format", output_format)
    assert (run.code, run.err) == (0, "")
    if output_format == "json":
        counts = {"error": 0, "warning": 0, "advice": 0}
        summary = {"files": 1, "findings": 0, "by_severity": counts, "suppressed": 0, "errors": []}
        assert json.loads(run.out) == {"schema_version": 1, "findings": [], "summary": summary}
    elif output_format == "sarif":
        document = json.loads(run.out)
        jsonschema.Draft4Validator(SCHEMA).validate(document)
        assert document["runs"][0]["results"] == []
    else:
        assert run.out == EMPTY[output_format]


def test_sarif_follows_its_schema(project: Path, dnnlint: RunCommand) -> None:
    """With findings, fixes, notebooks and failures."""
    write(project, PROJECT)
    document = json.loads(dnnlint("check", "--format", "sarif").out)
    jsonschema.Draft4Validator(SCHEMA).validate(document)
    run = document["runs"][0]
    assert run["invocations"][0]["executionSuccessful"] is False
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]}
    assert uris == {"book.ipynb", "broken%2C%20100%25.py", "train.py"}


def test_sarif_carries_the_page_of_the_rule(project: Path, dnnlint: RunCommand) -> None:
    """So that a code-scanning service can show it."""
    write(project, {"a.py": "def f(:\n"})
    rule = json.loads(dnnlint("check", "--format", "sarif").out)["runs"][0]["tool"]["driver"]["rules"][0]
    assert rule["fullDescription"]["text"].startswith("Reports a file that is not Python source")
    assert "## Why it matters" in rule["help"]["markdown"]


def fingerprints(dnnlint: RunCommand) -> list[str]:
    """Of every result, in order."""
    results = json.loads(dnnlint("check", "--format", "sarif").out)["runs"][0]["results"]
    return [value for result in results for value in result["partialFingerprints"].values()]


def test_fingerprints_survive_inserted_lines(project: Path, dnnlint: RunCommand) -> None:
    """And changed indentation; equal lines are told apart, other lines are other findings."""
    write(project, {"a.py": "import torch\nbad()\nx = bad()\nbad()\n"})
    before = fingerprints(dnnlint)
    assert len(set(before)) == 3
    write(project, {"a.py": "import torch\n\n# new\nif x:\n    bad()\n    x = bad()\n    y = 1\n    bad()\n"})
    assert fingerprints(dnnlint) == before
    write(project, {"a.py": "import torch\nbad(1)\nx = bad()\nbad()\n"})
    assert fingerprints(dnnlint)[1:] != before[1:]


def test_github_escapes_what_its_commands_reserve(project: Path, dnnlint: RunCommand) -> None:
    """Names with commas and colons, messages with percent signs and line breaks."""
    write(project, {"a,b.py": "import torch\nbad()\n"})
    place = "file=a%2Cb.py,line=2,endLine=2,col=1,endColumn=6,title=DNN901 bad-call"
    assert dnnlint("check", "--format", "github").out == f"::error {place}::`bad` is called.%0ACall `good`.\n"


NAMES = {
    "text": "a\\nb\\x1b[1m.py:2:1: error",
    "concise": "a\\nb\\x1b[1m.py:2:1: error",
    "github": "::error file=a\\nb\\x1b[1m.py,line=2",
}


@pytest.mark.parametrize(("output_format", "start"), NAMES.items(), ids=NAMES)
def test_control_characters_in_the_name_of_a_file(
    output_format: str, start: str, project: Path, dnnlint: RunCommand
) -> None:
    """They neither break the line nor reach the terminal."""
    write(project, {"a\nb\x1b[1m.py": "import torch\nbad()\nboom()\n"})
    run = dnnlint("check", "--format", output_format)
    assert run.out.startswith(start)
    assert run.err.startswith("dnnlint: error: a\\nb\\x1b[1m.py: rule boom-call")
    assert "\x1b" not in run.out + run.err


def test_control_characters_in_the_name_of_a_file_that_is_not_fixed(project: Path, dnnlint: RunCommand) -> None:
    """The word about a refused fix is escaped as well."""
    write(project, {"a\x1b[1m.py": "import torch\nstuck()\n"})
    assert "dnnlint: a\\x1b[1m.py:2:1: the fix of DNN905 was not applied" in dnnlint("check", "--fix").err


FIXABLE = {
    "safe": ("bad()\n", "[*] 1 fixable with `--fix`."),
    "unsafe": ("old()\nold()\n", "[*unsafe] 2 fixable with `--fix --unsafe-fixes`."),
    "both": ("bad()\nold()\n", "[*] 1 fixable with `--fix`, [*unsafe] 1 more with `--unsafe-fixes`."),
    "display only": ("odd()\n", "Found 1 finding (1 advice) in 1 file."),
}


@pytest.mark.parametrize(("code", "line"), FIXABLE.values(), ids=FIXABLE)
def test_last_line_says_what_can_be_fixed(code: str, line: str, project: Path, dnnlint: RunCommand) -> None:
    """With the options that it takes."""
    write(project, {"a.py": f"import torch\n{code}"})
    assert dnnlint("check").out.splitlines()[-1] == line


@pytest.mark.parametrize("output_format", ["json", "text"])
def test_statistics(output_format: str, project: Path, dnnlint: RunCommand, golden: Golden) -> None:
    """The most frequent rule first."""
    write(project, {"a.py": "import torch\n" + "bad()\n" * 10 + "odd()\nold()\n"})
    golden(f"statistics.{output_format}.txt", dnnlint("check", "--statistics", "--format", output_format).out)


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make standard output look like a terminal, from within a test."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)


class TestColour:
    """Colour belongs on a terminal and nowhere else."""

    CODE = "import torch\nbad('[bold]', " + "'x', " * 30 + ")\n"

    @pytest.mark.parametrize("output_format", ["text", "concise"])
    def test_terminal(
        self, output_format: str, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same text, with styles, neither wrapped nor read as markup."""
        write(project, {"a.py": self.CODE})
        plain = dnnlint("check", "--format", output_format).out
        on_terminal(monkeypatch)
        coloured = dnnlint("check", "--format", output_format).out
        assert "\x1b[1;31merror\x1b[0m" in coloured
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain

    @pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
    def test_unwanted(
        self, name: str, value: str, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The environment says no."""
        on_terminal(monkeypatch)
        monkeypatch.setenv(name, value)
        write(project, {"a.py": self.CODE})
        assert "\x1b" not in dnnlint("check").out

    def test_forced(self, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
        """The environment says yes, as in the logs of a service that shows colour."""
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
        write(project, {"a.py": self.CODE})
        assert "\x1b[" in dnnlint("check").out

    @pytest.mark.parametrize("arguments", [("--format", "github"), ("--output", "report.txt")], ids=" ".join)
    def test_elsewhere(
        self, arguments: tuple[str, ...], project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Programs and files get none."""
        on_terminal(monkeypatch)
        write(project, {"a.py": self.CODE})
        assert "\x1b" not in dnnlint("check", *arguments).out
        assert not (project / "report.txt").exists() or "\x1b" not in (project / "report.txt").read_text()


EXCERPTS = {
    "tab": ("\tbad()\n", "3 |     bad()\n  |     ^^^^^\n"),
    "wide characters": ("x = '漢字', bad()\n", "3 | x = '漢字', bad()\n  |             ^^^^^\n"),
    "combining characters": ("x = 'e\u0301', bad()\n", "3 | x = 'e\u0301', bad()\n  |          ^^^^^\n"),
    "control characters": ("x = '\x1b', bad()\n", "3 | x = '\ufffd', bad()\n  |          ^^^^^\n"),
    "several lines": ("bad(1,  \n  2)\n", "3 | bad(1,\n  | ^^^^^^\n"),
    "far to the right": ("x = '" + "y" * 300 + "', bad()\n", "  = help: Call `good`.\n"),
}


@pytest.mark.parametrize(("line", "shown"), EXCERPTS.values(), ids=EXCERPTS)
def test_excerpt(line: str, shown: str, project: Path, dnnlint: RunCommand) -> None:
    """The underline stands below what it means, and nothing reaches the terminal that it would obey."""
    write(project, {"a.py": "import torch\nif 1:\n" + (line if line.startswith("\t") else f"  pass\n{line}")})
    number = "3" if line.startswith("\t") else "4"
    assert shown.replace("3 |", f"{number} |") in dnnlint("check").out


def test_excerpt_of_a_file_that_is_gone(project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    """The finding is reported without it."""
    write(project, {"a.py": "import torch\nbad()\n", "b.ipynb": notebook("import torch\nbad()")})

    def gone(path: str) -> bytes:
        raise FileNotFoundError(path)

    monkeypatch.setattr("dnnlint.engine.source.read_bytes", gone)
    out = dnnlint("check").out
    assert "a.py:2:1: error DNN901 [bad-call] [*] `bad` is called.\n  = help: Call `good`.\n" in out
    assert "b.ipynb:cell 1:2:1: error" in out
    assert "|" not in out

"""The command line as a whole: verbs, exit codes, streams and processes."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dnnlint.commands import completion
from dnnlint.rules import rule_index
from tests.support import ROOT, RunCommand, python, shell, write

CODES = {
    "nothing found": ("x = 1\n", (), 0),
    "error": ("import torch\nbad()\n", (), 1),
    "warning": ("import torch\nold()\n", (), 1),
    "advice": ("import torch\nodd()\n", (), 0),
    "advice that fails": ("import torch\nodd()\n", ("--fail-on", "advice"), 1),
    "warning that does not fail": ("import torch\nold()\n", ("--fail-on", "error"), 0),
    "exit zero": ("import torch\nbad()\n", ("--exit-zero",), 0),
    "statistics": ("import torch\nbad()\n", ("--statistics",), 1),
    "output to a file": ("import torch\nbad()\n", ("--output", "report.txt"), 1),
    "files only": ("import torch\nbad()\n", ("--show-files",), 0),
}


@pytest.mark.usefixtures("fake_rules")
@pytest.mark.parametrize(("code", "arguments", "status"), CODES.values(), ids=CODES)
def test_exit_code(code: str, arguments: tuple[str, ...], status: int, project: Path, dnnlint: RunCommand) -> None:
    """0 nothing at or above the limit, 1 something."""
    write(project, {"a.py": code})
    run = dnnlint("check", *arguments)
    assert (run.code, run.err) == (status, "")


class TestGeneral:
    """What holds for every verb."""

    def test_version(self, dnnlint: RunCommand) -> None:
        """The version of the package."""
        assert dnnlint("--version").out == f"dnnlint {sys.modules['dnnlint'].__version__}\n"

    def test_help_names_every_verb(self, dnnlint: RunCommand) -> None:
        """Also without any argument, then as a mistake."""
        run = dnnlint("--help")
        assert run.code == 0
        for verb in ("check", "rule", "clean", "completion"):
            assert f"\n    {verb} " in run.out or f"\n    {verb}\n" in run.out
        assert dnnlint() == (2, "", run.out)

    def test_forgotten_verb(self, project: Path, dnnlint: RunCommand) -> None:
        """A path in its place says what was meant."""
        message = 'dnnlint: error: unknown command "train.py" (did you mean `dnnlint check -q train.py`?)\n'
        assert dnnlint("-q", "train.py") == (2, "", message)
        (project / "src").mkdir()
        assert "(did you mean `dnnlint check src`?)" in dnnlint("src").err

    def test_unknown_verb(self, dnnlint: RunCommand) -> None:
        """It is named, with those that exist."""
        run = dnnlint("chekc")
        assert run.code == 2
        assert "invalid choice: 'chekc'" in run.err

    def test_bug_is_no_finding(self, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
        """A failure of the tool itself never has the exit code of findings."""
        monkeypatch.setattr("dnnlint.commands.check._set_up", lambda args: 1 / 0)
        run = dnnlint("check")
        assert run.code == 2
        assert "ZeroDivisionError" in run.err
        assert "this is a bug in dnnlint" in run.err

    def test_interrupt(self, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
        """One line and the exit code of the shell."""

        def interrupt(args: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("dnnlint.commands.check._set_up", interrupt)
        assert dnnlint("check") == (130, "", "dnnlint: interrupted\n")

    def test_closed_pipe_is_quiet(self, project: Path) -> None:
        """As in ``dnnlint check | head``."""
        write(project, {f"f{i}.py": "def f(:\n" for i in range(300)})
        command = f"{sys.executable} -m dnnlint check --no-cache; echo $? >&2"
        variables = {**os.environ, "PYTHONPATH": ROOT}
        shell = subprocess.run(
            ["bash", "-c", f"({command}) | head -n 1"],
            cwd=project,
            env=variables,
            capture_output=True,
            text=True,
            check=True,
        )
        assert shell.stdout.startswith("f0.py:1:7: error DNN000")
        assert shell.stderr == "1\n"

    def test_closed_pipe_of_any_verb(self, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whoever writes, nobody hears of it."""

        class Closed(io.StringIO):
            def write(self, text: str) -> int:
                raise BrokenPipeError

            def fileno(self) -> int:
                raise OSError

        monkeypatch.setattr(sys, "stdout", Closed())
        assert dnnlint("rule", "--all") == (0, "", "")

    @pytest.mark.parametrize("verb", ["check", "rule --all", "--help"])
    @pytest.mark.parametrize(
        ("target", "message"),
        [
            pytest.param(">&-", "standard output is closed", id="closed"),
            pytest.param("> /dev/full", "cannot write to standard output: No space left on device", id="full"),
        ],
    )
    def test_output_that_cannot_be_written(self, verb: str, target: str, message: str, project: Path) -> None:
        """One message and no finding."""
        write(project, {"a.py": "def f(:\n"})
        assert shell(f"{{dnnlint}} {verb} {target}", project) == (2, f"dnnlint: error: {message}\n")

    def test_closed_standard_error(self, project: Path) -> None:
        """Messages go nowhere, and not into the report."""
        assert shell("{dnnlint} check nowhere 2>&- | cat >&2; exit ${PIPESTATUS[0]}", project) == (2, "")

    def test_closed_standard_input(self, project: Path) -> None:
        """It is not an empty file."""
        assert shell("{dnnlint} check - <&-", project) == (2, "dnnlint: error: standard input is closed\n")

    def test_working_folder_that_is_gone(self, project: Path) -> None:
        """Paths mean nothing without it."""
        message = "dnnlint: error: the working folder cannot be used: No such file or directory\n"
        assert shell('mkdir x; cd x; rmdir "$PWD"; {dnnlint} check', project) == (2, message)

    def test_characters_that_the_terminal_lacks(self, project: Path) -> None:
        """They are escaped, not an error."""
        write(project, {"a.py": "import torch\nx = 'é☃' +\n"})
        run = python("-m", "dnnlint", "check", "--no-cache", cwd=project, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        assert run.returncode == 1
        assert "x = '\\xe9\\u2603' +" in run.stdout


@pytest.mark.usefixtures("fake_rules")
class TestStreams:
    """Standard input, standard error, files."""

    CODE = b"import torch\nbad()\n"

    def test_standard_input(self, dnnlint: RunCommand) -> None:
        """It has a name for the report and for its configuration, and leaves no cache behind."""
        assert dnnlint("check", "-", stdin=self.CODE).out.startswith("<stdin>:2:1: error DNN901")
        run = dnnlint("check", "--stdin-filename", "pkg/a.py", stdin=self.CODE)
        assert run.out.startswith("pkg/a.py:2:1: error DNN901")
        assert "2 | bad()" in run.out
        assert os.listdir() == []

    def test_standard_input_has_the_configuration_of_its_name(self, project: Path, dnnlint: RunCommand) -> None:
        """As if it lay there."""
        write(project, {"pkg/dnnlint.toml": 'ignore = ["DNN901"]'})
        assert dnnlint("check", "--stdin-filename", "pkg/a.py", "-", stdin=self.CODE).code == 0

    def test_standard_input_beside_files(self, project: Path, dnnlint: RunCommand) -> None:
        """It stands in for the file of its name."""
        write(project, {"a.py": "", "b.py": self.CODE})
        run = dnnlint("check", "-q", "--format", "concise", "-", ".", "--stdin-filename", "a.py", stdin=self.CODE)
        assert [line[:4] for line in run.out.splitlines()] == ["a.py", "b.py"]

    def test_verbose(self, project: Path, dnnlint: RunCommand) -> None:
        """Where settings and cache lie, on standard error."""
        write(project, {"a.py": self.CODE, "pkg/dnnlint.toml": "", "pkg/b.py": ""})
        lines = dnnlint("check", "-v").err.splitlines()
        assert lines == [
            "dnnlint: settings from pkg/dnnlint.toml, the defaults",
            f"dnnlint: cache in {project / '.dnnlint_cache'}",
            "dnnlint: 0 of 2 files answered from the cache",
        ]

    def test_quiet(self, project: Path, dnnlint: RunCommand) -> None:
        """Findings only."""
        write(project, {"a.py": self.CODE})
        assert len(dnnlint("check", "-q", "--format", "concise").out.splitlines()) == 1
        assert dnnlint("check", "-q", "--ignore", "ALL").out == ""

    def test_report_in_a_file(self, project: Path, dnnlint: RunCommand) -> None:
        """Whole or not at all."""
        write(project, {"a.py": self.CODE})
        assert dnnlint("check", "--format", "json", "--output", "report.json").out == ""
        assert json.loads((project / "report.json").read_text())["summary"]["findings"] == 1
        run = dnnlint("check", "--output", "nowhere/report.txt")
        assert run.code == 2
        assert run.err == "dnnlint: error: nowhere/report.txt: cannot write the report: No such file or directory\n"

    def test_report_in_standard_output_by_its_name(self, project: Path) -> None:
        """What a file held before stays, and a pipe works too."""
        write(project, {"a.py": "def f(:\n", "log.txt": "before\n"})
        command = "{dnnlint} check -q --format concise --output /dev/stdout"
        assert shell(f"{command} >> log.txt", project) == (1, "")
        assert (project / "log.txt").read_text().startswith("before\na.py:1:7: error DNN000")
        code, text = shell(f"{command} | cat >&2", project)
        assert (code, text[:5]) == (0, "a.py:")

    def test_report_in_a_pipe(self, project: Path) -> None:
        """It is written to and not replaced."""
        write(project, {"a.py": "def f(:\n"})
        os.mkfifo("pipe")
        code, text = shell("cat pipe >&2 & {dnnlint} check -q --format concise --output pipe; wait", project)
        assert (code, text[:5]) == (0, "a.py:")
        assert (project / "pipe").is_fifo()

    def test_no_files(self, dnnlint: RunCommand) -> None:
        """An empty folder is said to be empty."""
        run = dnnlint("check")
        assert (run.code, run.out) == (0, "No Python files or notebooks found under the given paths.\n")

    def test_progress_of_a_long_run(self, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
        """On a terminal, after a second; the last one wipes itself out."""
        write(project, {"a.py": self.CODE, "b.py": self.CODE + b"#"})
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        assert dnnlint("check", "--no-cache").err == ""
        monkeypatch.setattr("dnnlint.commands.check_output.PROGRESS_AFTER_S", -1.0)
        shown = dnnlint("check", "--no-cache").err
        assert shown.startswith("checked 1 of 2 files\rchecked 2 of 2 files\r ")
        assert dnnlint("check", "--no-cache", "-q").err == ""


class TestRule:
    """``dnnlint rule``."""

    @pytest.mark.parametrize("word", ["DNN000", "syntax-error"])
    def test_page(self, word: str, dnnlint: RunCommand) -> None:
        """By code or by name."""
        out = dnnlint("rule", word).out
        assert out.startswith("DNN000 syntax-error: error, family engine\n\n# syntax-error (DNN000)\n")
        assert "## Why it matters" in out

    def test_family(self, dnnlint: RunCommand) -> None:
        """Several rules are a list."""
        assert dnnlint("rule", "engine").out.splitlines()[0] == "DNN000  error    engine        syntax-error"

    def test_list_as_json(self, dnnlint: RunCommand) -> None:
        """With everything that is known of each."""
        rules = json.loads(dnnlint("rule", "--all", "--format", "json").out)["rules"]
        assert [rule["code"] for rule in rules] == list(rule_index())
        expected = {"code", "name", "severity", "clause", "family", "fix", "options", "url", "summary", "documentation"}
        assert all(set(rule) == expected for rule in rules)

    @pytest.mark.usefixtures("fake_rules")
    def test_rule_without_a_page(self, dnnlint: RunCommand) -> None:
        """What the table knows is still said."""
        assert dnnlint("rule", "DNN901").out.startswith("DNN901 bad-call: error, family fake, clause S1, safe fix\n")
        assert dnnlint("rule", "DNN90").out.splitlines()[0] == "DNN901  error    fake          bad-call [*]"
        rule = json.loads(dnnlint("rule", "bad-call", "--format", "json").out)
        assert rule["options"][0] == {"name": "names", "default": ["bad"], "help": "the names that are bad"}

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            pytest.param((), "name one rule, or give --all", id="none"),
            pytest.param(("DNN000", "--all"), "name one rule, or give --all", id="both"),
            pytest.param(("syntax-eror",), '(did you mean "syntax-error"?)', id="unknown"),
        ],
    )
    def test_mistakes(self, arguments: tuple[str, ...], message: str, dnnlint: RunCommand) -> None:
        """Exit code 2 and one message."""
        run = dnnlint("rule", *arguments)
        assert run.code == 2
        assert message in run.err


class TestCompletion:
    """``dnnlint completion``."""

    @pytest.mark.parametrize("shell", completion.SHELLS)
    def test_script(self, shell: str, dnnlint: RunCommand) -> None:
        """It is made from the parser, so it knows every option."""
        pytest.importorskip("shtab")
        run = dnnlint("completion", shell)
        assert run.code == 0
        assert "extend-select" in run.out

    def test_without_the_package(self, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
        """The message says what to install."""
        monkeypatch.setitem(sys.modules, "shtab", None)
        run = dnnlint("completion", "bash")
        assert run.code == 2
        assert "pip install 'dnnlint[completion]'" in run.err

    def test_shell_that_the_package_does_not_know(self, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
        """Older versions know fewer."""
        shtab = pytest.importorskip("shtab")
        monkeypatch.setattr(shtab, "SUPPORTED_SHELLS", ["bash"])
        assert "the installed shtab knows no fish" in dnnlint("completion", "fish").err


class TestProcesses:
    """Several processes find what one finds."""

    def test_same_report(self, project: Path) -> None:
        """Files with and without findings, and one that does not parse."""
        files = {f"f{i}.py": f"import torch\nx = {i}  # dnnlint: ignore\n" for i in range(9)}
        write(project, {**files, "g.py": "import torch\ndef f(:\n"})
        runs = [python("-m", "dnnlint", "check", "--no-cache", "-j", n, cwd=project) for n in ("1", "3")]
        assert runs[0].stdout == runs[1].stdout
        assert runs[0].stdout.count("DNN001") == 9
        assert [(run.returncode, run.stderr) for run in runs] == [(1, "")] * 2

    def test_interrupt_ends_all_of_them(self, project: Path) -> None:
        """Quietly and soon."""
        body = "".join(f"def f{i}(a, b):\n    return [a + b for a in b if a]\n" for i in range(2000))
        write(project, {f"f{i}.py": f"import torch\nn = {i}\n{body}" for i in range(40)})
        variables = {**os.environ, "PYTHONPATH": ROOT}
        command = [sys.executable, "-m", "dnnlint", "check", "--no-cache", "-j", "2"]
        process = subprocess.Popen(
            command,
            cwd=project,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        time.sleep(2)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (130, "", "dnnlint: interrupted\n")

"""Fixes: where edits go, what is applied, what is refused, and what happens to the file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import libcst as cst
import pytest

from dnnlint.engine import fixing
from dnnlint.engine.edits import edited_nodes, to_fix
from dnnlint.engine.fixes import apply_edits, fix_text
from dnnlint.engine.model import FileResult
from dnnlint.engine.positions import lay_out
from dnnlint.finding import Edit, Finding, Fix, FixSafety, Severity
from dnnlint.rule import NodeEdit, Report
from tests.support import RunCommand, notebook, write


def edited(text: str, *wheres: tuple[str, str], name: str = "here") -> str | None:
    """Apply edits of the given kinds at the first statement or call that mentions a name."""
    module = cst.parse_module(text)
    node = find(module, name)
    report = Report(node, "", "", edits=tuple(NodeEdit(where, node, added) for where, added in wheres))
    layout = lay_out(module, [node, *edited_nodes(report)])
    fix = to_fix(report, FixSafety.SAFE, layout, text, module.default_newline)
    return None if fix is None else apply_edits(text, fix.edits)


def find(module: cst.Module, name: str) -> cst.CSTNode:
    """A function, class or call of a name, or a statement under such a condition."""
    stack: list[cst.CSTNode] = [module]
    while stack:
        node = stack.pop()
        for child in (getattr(node, field, None) for field in ("name", "func", "test")):
            if isinstance(child, cst.Name) and child.value == name:
                return node
        stack.extend(reversed(node.children))
    raise LookupError(name)


PLACES = {
    "replace": ("x = here(1)  # c\n", "replace", "there(2)", "x = there(2)  # c\n"),
    "before": ("x = here(1)\n", "before", "await ", "x = await here(1)\n"),
    "after": ("x = here(1)\n", "after", ".item()", "x = here(1).item()\n"),
    "line before": (
        "    \nif a:\n    x = here(1)\n",
        "line-before",
        "a\nb",
        "    \nif a:\n    a\n    b\n    x = here(1)\n",
    ),
    "line after": ("if a:\n    x = here(1)  # c\ny\n", "line-after", "b", "if a:\n    x = here(1)  # c\n    b\ny\n"),
    "line after the last": ("x = here(1)", "line-after", "b", "x = here(1)\nb"),
    "line after a long statement": ("here(\n  1,\n)\ny\n", "line-after", "b", "here(\n  1,\n)\nb\ny\n"),
    "line before a compound": ("while here:\n    pass\n", "line-before", "b", "b\nwhile here:\n    pass\n"),
    "line after a compound": ("while here:\n    pass\ny\n", "line-after", "b", "while here:\n    pass\nb\ny\n"),
    "line before a decorated": ("@a\n@b\ndef here(): pass\n", "line-before", "c", "c\n@a\n@b\ndef here(): pass\n"),
    "line after a decorated": ("@a\ndef here(): pass\ny\n", "line-after", "c", "@a\ndef here(): pass\nc\ny\n"),
    "carriage returns": ("if a:\r\n\there(1)\r\n", "line-before", "b\nc", "if a:\r\n\tb\r\n\tc\r\n\there(1)\r\n"),
    "replaced by two lines": ("here(1)\r\n", "replace", "f(\n)", "f(\r\n)\r\n"),
    "unicode": ("é = 'ß', here(1)\n", "replace", "ü", "é = 'ß', ü\n"),
    "in a header": ("with here(1) as b:\n    pass\n", "line-before", "c", "c\nwith here(1) as b:\n    pass\n"),
}
IMPOSSIBLE = {
    "on the line of a condition": ("if a: here(1)\n", "line-before"),
    "between statements of a line": ("a(); here(1)\n", "line-after"),
    "at an elif": ("if a:\n    pass\nelif here:\n    pass\n", "line-before"),
    "in the header of a decorated": ("@a\ndef f(x=here(1)): pass\n", "line-before"),
}


@pytest.mark.parametrize(("text", "where", "added", "result"), PLACES.values(), ids=PLACES)
def test_edit_goes_where_it_says(text: str, where: str, added: str, result: str) -> None:
    """No other character changes, and added lines have the indentation and the line break of their neighbours."""
    assert edited(text, (where, added)) == result


@pytest.mark.parametrize(("text", "where"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_line_that_would_tear_code_apart_is_no_fix(text: str, where: str) -> None:
    """The finding stays, without a fix."""
    assert edited(text, (where, "b")) is None


def test_edits_that_overlap_are_no_fix() -> None:
    """A rule that contradicts itself changes nothing."""
    assert edited("here(1)\n", ("replace", "a"), ("replace", "b")) is None


def test_unknown_kind_of_edit_is_an_error() -> None:
    """It names what a rule got wrong."""
    with pytest.raises(ValueError, match="unknown place of an edit: beside"):
        edited("here(1)\n", ("beside", "a"))


def test_edits_are_applied_in_order_of_place() -> None:
    """Whatever order they come in."""
    assert apply_edits("abc", [Edit(2, 3, "C"), Edit(0, 1, "A"), Edit(1, 1, "-")]) == "A-bC"


def finding(code: str, *edits: Edit) -> Finding:
    """A finding with a safe fix."""
    return Finding(code, "", Severity.ERROR, "a.py", 1, 1, 1, 2, "", "", "", Fix(FixSafety.SAFE, "", edits))


def test_fixes_that_collide_are_applied_in_rounds() -> None:
    """The second is made for the text that the first leaves."""
    rounds = iter([[finding("DNN902", Edit(2, 4, "Y"))], []])
    texts: list[str] = []

    def recheck(text: str) -> FileResult:
        texts.append(text)
        return FileResult(tuple(next(rounds)))

    first = [finding("DNN901", Edit(0, 2, "X")), finding("DNN902", Edit(1, 3, "Z"))]
    outcome = fix_text("abcd", first, fixing.SAFE, recheck)
    assert texts == ["Xcd", "XcY"]
    assert (outcome.text, outcome.applied, outcome.refused) == ("XcY", 2, ())


def test_insertions_at_one_place_have_no_order() -> None:
    """Only one of them is made in a round."""
    batches: list[str] = []

    def recheck(text: str) -> FileResult:
        batches.append(text)
        return FileResult()

    fix_text("ab", [finding("DNN901", Edit(1, 1, "x")), finding("DNN902", Edit(1, 1, "y"))], fixing.SAFE, recheck)
    assert batches[0] == "axb"


def test_fix_that_makes_another_finding_is_refused() -> None:
    """Also when its own is gone."""
    first = finding("DNN901", Edit(0, 1, "x"))
    outcome = fix_text("ab", [first], fixing.SAFE, lambda text: FileResult((finding("DNN902"),)))
    assert outcome == ("ab", 0, (first,))


def test_fix_that_changes_nothing_is_refused() -> None:
    """It cannot remove anything."""
    first = finding("DNN901", Edit(0, 1, "a"))
    assert fix_text("ab", [first], fixing.SAFE, lambda text: FileResult()).refused == (first,)


FIXED: dict[str, tuple[bytes, tuple[str, ...], bytes]] = {
    "safe": (b"torch = bad()\nold()\n", (), b"torch = good()\nold()\n"),
    "unsafe too": (b"torch = bad()\nold()\n", ("--unsafe-fixes",), b"torch = good()\nprepare()\nnew()\n"),
    "nested": (b"torch = bad(bad(bad()))\n", (), b"torch = good(good(good()))\n"),
    "two on a line": (b"torch = bad() + bad()\n", (), b"torch = good() + good()\n"),
    "an edit in common": (
        b"import torch\nx = old() + old()\n",
        ("--unsafe-fixes",),
        b"import torch\nprepare()\nx = new() + new()\n",
    ),
    "display only": (b"torch = odd()\n", ("--unsafe-fixes",), b"torch = odd()\n"),
    "suppressed": (b"torch = bad()  # noqa\n", (), b"torch = bad()  # noqa\n"),
    "does not help": (b"torch = stuck()\n", (), b"torch = stuck()\n"),
    "none helps": (b"torch = stuck() + stuck()\n", (), b"torch = stuck() + stuck()\n"),
    "one helps, one does not": (b"torch = stuck(bad())\n", (), b"torch = stuck(good())\n"),
    "line breaks kept": (b"torch = bad()\r\nx = 1\n", (), b"torch = good()\r\nx = 1\n"),
    "latin-1 kept": (b"# coding: latin-1\ntorch = bad('\xe9')\n", (), b"# coding: latin-1\ntorch = good('\xe9')\n"),
    "byte order mark kept": (b"\xef\xbb\xbftorch = bad()\n", (), b"\xef\xbb\xbftorch = good()\n"),
    "no line break at the end": (b"torch = bad()", (), b"torch = good()"),
    "not reproducible": (b"torch = bad()\ry = 1\r", (), b"torch = bad()\ry = 1\r"),
}


@pytest.mark.usefixtures("fake_rules")
@pytest.mark.parametrize(("before", "arguments", "after"), FIXED.values(), ids=FIXED)
def test_fix(before: bytes, arguments: tuple[str, ...], after: bytes, project: Path, dnnlint: RunCommand) -> None:
    """Exactly the wanted edits reach the file, and a second run finds nothing to do."""
    write(project, {"a.py": before})
    for _ in range(2):
        run = dnnlint("check", "--fix", *arguments)
        assert (project / "a.py").read_bytes() == after
        assert "Traceback" not in run.err
    assert dnnlint("check", "--diff", *arguments).out == ""


@pytest.mark.usefixtures("fake_rules")
class TestFixedFile:
    """What happens around the change of a file."""

    CODE = "import torch\nbad()\nodd()\n"
    DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n import torch\n-bad()\n+good()\n odd()\n"

    def test_report_and_exit_code_are_those_of_the_rest(self, project: Path, dnnlint: RunCommand) -> None:
        """What is fixed is not reported any more."""
        write(project, {"a.py": self.CODE})
        run = dnnlint("check", "--fix", "--format", "concise")
        assert run.code == 0
        assert run.out.startswith("a.py:3:1: advice DNN903")
        assert run.err == "Fixed 1 of 2 findings, in 1 file.\n"

    def test_diff_changes_nothing(self, project: Path, dnnlint: RunCommand) -> None:
        """The patch is printed, the exit code that of the findings."""
        write(project, {"a.py": self.CODE})
        run = dnnlint("check", "--diff")
        assert (run.code, run.out) == (1, self.DIFF)
        assert run.err == "Would fix 1 of 2 findings, in 1 file.\n"
        assert (project / "a.py").read_text() == self.CODE
        assert dnnlint("check", "--diff", "--quiet").err == ""

    def test_diff_of_a_file_elsewhere(self, tmp_path_factory: pytest.TempPathFactory, dnnlint: RunCommand) -> None:
        """Its absolute path becomes one that a patch can be applied to from the root."""
        elsewhere = tmp_path_factory.mktemp("elsewhere")
        write(elsewhere, {"a.py": self.CODE})
        path = f"{elsewhere}/a.py"
        assert dnnlint("check", "--diff", path).out.startswith(f"--- a{path}\n+++ b{path}\n@@")

    def test_diff_says_that_there_is_no_line_break_at_the_end(self, project: Path, dnnlint: RunCommand) -> None:
        """As tools that apply patches expect."""
        write(project, {"a.py": "torch = bad()"})
        ends = [line for line in dnnlint("check", "--diff").out.splitlines() if line.startswith("\\")]
        assert ends == ["\\ No newline at end of file"] * 2

    def test_standard_input_is_fixed_to_standard_output(self, dnnlint: RunCommand) -> None:
        """The report goes to standard error, so that an editor can take the text."""
        run = dnnlint("check", "--fix", "-", stdin=self.CODE.encode())
        assert run.out == self.CODE.replace("bad", "good")
        assert "<stdin>:3:1" in run.err
        run = dnnlint("check", "--diff", "--stdin-filename", "a.py", stdin=self.CODE.encode())
        assert run.out == self.DIFF

    def test_mode_and_link_are_kept(self, project: Path, dnnlint: RunCommand) -> None:
        """A script stays executable, a link stays a link."""
        write(project, {"real/a.py": self.CODE})
        (project / "real/a.py").chmod(0o750)
        (project / "link.py").symlink_to("real/a.py")
        dnnlint("check", "--fix", "link.py")
        assert (project / "link.py").is_symlink()
        assert (project / "real/a.py").read_text() == self.CODE.replace("bad", "good")
        assert stat.S_IMODE(os.stat(project / "real/a.py").st_mode) == 0o750

    def test_refused_fix_is_named(self, project: Path, dnnlint: RunCommand) -> None:
        """The finding stays in the report."""
        write(project, {"a.py": "import torch\nstuck()\n"})
        run = dnnlint("check", "--fix")
        assert run.code == 1
        assert "a.py:2:1: the fix of DNN905 was not applied" in run.err

    def test_file_changed_meanwhile_is_left_alone(
        self, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Somebody else's work is never overwritten."""
        write(project, {"a.py": self.CODE})
        real = fix_text

        def slow(*arguments: object) -> object:
            write(project, {"a.py": "mine\n"})
            return real(*arguments)  # type: ignore[arg-type]  # passed through

        monkeypatch.setattr(fixing, "fix_text", slow)
        run = dnnlint("check", "--fix", "--no-cache")
        assert "a.py: not fixed: it was changed by someone else meanwhile" in run.err
        assert (project / "a.py").read_text() == "mine\n"

    @pytest.mark.parametrize(
        "data",
        [b"def f(:\n", b"torch = bad()\rx = 1\r", b"torch = '\xff'\n"],
        ids=["broken", "not reproducible", "bytes"],
    )
    def test_file_that_cannot_be_fixed_any_more_is_left_alone(
        self, data: bytes, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It changed between the check and the fix."""
        write(project, {"a.py": self.CODE})
        monkeypatch.setattr(fixing, "read_bytes", lambda path: data)
        assert dnnlint("check", "--fix").err == "Fixed 0 of 2 findings, in 0 files.\n"
        assert (project / "a.py").read_text() == self.CODE

    def test_file_that_cannot_be_written_is_named(
        self, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And the exit code says that what was asked for was not done."""
        write(project, {"a.py": self.CODE})

        def refuse(source: str, target: str) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "replace", refuse)
        run = dnnlint("check", "--fix", "--no-cache")
        assert run.code == 2
        assert "a.py: not fixed: Permission denied" in run.err
        assert sorted(os.listdir(project)) == ["a.py"]

    def test_fix_outside_the_encoding_is_not_written(
        self, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The file keeps its encoding."""
        write(project, {"a.py": "# coding: ascii\nimport torch\nbad()\n"})
        outcome = fix_text

        def with_accent(*arguments: object) -> object:
            return outcome(*arguments)._replace(text="é")  # type: ignore[arg-type]  # passed through

        monkeypatch.setattr(fixing, "fix_text", with_accent)
        assert "not fixed: the fix does not fit the encoding" in dnnlint("check", "--fix").err

    def test_notebook_is_never_fixed(self, project: Path, dnnlint: RunCommand) -> None:
        """Its findings offer no fix."""
        data = notebook("import torch\nbad()")
        write(project, {"a.ipynb": data})
        assert dnnlint("check", "--fix").code == 1
        assert (project / "a.ipynb").read_bytes() == data

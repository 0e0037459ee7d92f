"""The cache: what it answers, what makes it forget, and that it never does harm."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import dnnlint.engine.cache as cache_module
from dnnlint.config.model import RuleSettings
from dnnlint.engine.analyse import Job
from dnnlint.engine.cache import Cache, content_key, tool_digest
from dnnlint.engine.codec import decode_result, encode_result
from dnnlint.engine.model import FileError, FileResult
from dnnlint.finding import Edit, Finding, Fix, FixSafety, Severity
from dnnlint.project.tree import Projects
from tests.support import RunCommand, write

SETTINGS = RuleSettings({}, {}, "key")
FINDING = Finding(
    "DNN901",
    "bad-call",
    Severity.ERROR,
    "a.py",
    1,
    2,
    3,
    4,
    "m",
    "h",
    "S1",
    Fix(FixSafety.SAFE, "d", (Edit(0, 1, "é"),)),
)


def cached(dnnlint: RunCommand, *arguments: str) -> int:
    """How many files a check takes from the cache."""
    run = dnnlint("check", "--verbose", "--exit-zero", *arguments)
    line = next(line for line in run.err.splitlines() if "answered from the cache" in line)
    return int(line.split()[1])


@pytest.fixture
def tree(project: Path, fake_rules: object) -> Path:
    write(project, {"a.py": "import torch\nbad()\n", "b.py": "x = 1\n", "c.py": "import torch\n"})
    return project


def test_unchanged_files_are_answered(tree: Path, dnnlint: RunCommand) -> None:
    """With the same report."""
    first = dnnlint("check", "--format", "json")
    assert cached(dnnlint) == 3
    assert dnnlint("check", "--format", "json") == first


def test_only_the_content_counts(tree: Path, dnnlint: RunCommand) -> None:
    """A changed file is checked again, a renamed or touched one is not."""
    dnnlint("check")
    (tree / "a.py").touch()
    (tree / "c.py").rename(tree / "d.py")
    write(tree, {"b.py": "x = 2\n"})
    assert cached(dnnlint) == 2
    assert "a.py:2:1" in dnnlint("check").out


FORGETTING = {
    "settings": ("--ignore", "DNN903"),
    "no cache": ("--no-cache",),
    "another selection": ("--select", "DNN901"),
}


@pytest.mark.parametrize("arguments", FORGETTING.values(), ids=FORGETTING)
def test_what_was_asked_counts(arguments: tuple[str, ...], tree: Path, dnnlint: RunCommand) -> None:
    """Results hold for the settings that they were found with."""
    dnnlint("check")
    assert cached(dnnlint, *arguments) == 0


def test_format_is_no_setting(tree: Path, dnnlint: RunCommand) -> None:
    """Nor is what fails the run."""
    dnnlint("check")
    assert cached(dnnlint, "--format", "github", "--fail-on", "error") == 3


def test_another_version_of_the_tool_starts_anew(
    tree: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed rule would find something else."""
    dnnlint("check")
    monkeypatch.setattr(cache_module, "__version__", "99")
    assert cached(dnnlint) == 0


BROKEN = [b"", b"{", b"[]", b"null", b'{"tool": 1}', b"\xff", b'{"tool": "TOOL", "entries": []}', b"[" * 100_000]


@pytest.mark.parametrize("data", BROKEN, ids=lambda data: repr(data[:20]))
def test_unreadable_cache_is_an_empty_cache(data: bytes, tree: Path, dnnlint: RunCommand) -> None:
    """And is replaced by a good one."""
    write(tree, {".dnnlint_cache/check.json": data.replace(b"TOOL", tool_digest().encode())})
    assert cached(dnnlint) == 0
    assert cached(dnnlint) == 3


ENTRIES = [[], [1], "x", 1, None, [0, [[]]], [0, [[1] * 12]], {"a": 1}]


@pytest.mark.parametrize("entry", ENTRIES, ids=repr)
def test_entry_of_another_form_is_no_entry(entry: object, tree: Path) -> None:
    """Whoever wrote it."""
    job = Job("a.py", b"", SETTINGS)
    document = {"tool": tool_digest(), "entries": {content_key(job): entry}}
    write(tree, {"cache/check.json": json.dumps(document)})
    assert Cache(str(tree / "cache"), Projects()).get(job) is None


def test_result_comes_back_as_it_was() -> None:
    """Findings, fixes and counts, under the name that the file has now; in a notebook with the cell."""
    result = FileResult((FINDING,), 2)
    assert decode_result(json.loads(json.dumps(encode_result(result))), "a.py") == result
    in_cell = Finding("DNN901", "n", Severity.ADVICE, "a.ipynb:cell 3", 1, 2, 3, 4, "", "", "")
    decoded = decode_result(encode_result(FileResult((in_cell,))), "b.ipynb")
    assert decoded.findings[0].path == "b.ipynb:cell 3"


def test_incomplete_result_is_not_kept(tmp_path: Path) -> None:
    """After a crash the file is checked again."""
    cache = Cache(str(tmp_path / "cache"), Projects())
    cache.put(Job("a.py", b"", SETTINGS), FileResult(errors=(FileError("a.py", "crash"),)))
    cache.save()
    assert list(tmp_path.iterdir()) == []


def test_oldest_entries_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file does not grow without end."""
    monkeypatch.setattr(cache_module, "MAX_ENTRIES", 2)
    jobs = [Job("a.py", data, SETTINGS) for data in (b"1", b"2", b"3")]
    cache = Cache(str(tmp_path), Projects())
    for job in jobs:
        cache.put(job, FileResult())
    cache.save()
    assert [Cache(str(tmp_path), Projects()).get(job) is not None for job in jobs] == [False, True, True]


def test_folder_says_what_it_is(tree: Path, dnnlint: RunCommand) -> None:
    """Git ignores it, backups skip it, and it lies beside the configuration."""
    write(tree, {"dnnlint.toml": 'cache-dir = "cache/lint"', "pkg/a.py": ""})
    dnnlint("check", "pkg")
    folder = tree / "cache" / "lint"
    assert (folder / ".gitignore").read_text() == "*\n"
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert not (tree / ".dnnlint_cache").exists()
    assert sorted(path.name for path in folder.iterdir()) == [".gitignore", "CACHEDIR.TAG", "check.json"]


def test_folder_that_cannot_be_made_is_no_failure(tree: Path, dnnlint: RunCommand) -> None:
    """A read-only project is checked without a cache."""
    write(tree, {".dnnlint_cache": "a file in the way"})
    run = dnnlint("check", "--quiet", "--exit-zero")
    assert (run.code, run.err) == (0, "")
    assert cached(dnnlint) == 0


@pytest.mark.parametrize("tag", [None, "Signature: 8a477f597d28d172789f06886806bc55\n"], ids=["no tag", "another tool"])
def test_folder_of_somebody_else_is_left_alone(tag: str | None, tree: Path, dnnlint: RunCommand) -> None:
    """A mistaken setting must not hide a folder of sources from Git."""
    files = {"dnnlint.toml": 'cache-dir = "src"', "src/b.txt": ""} | ({"src/CACHEDIR.TAG": tag} if tag else {})
    write(tree, files)
    before = sorted(os.listdir("src"))
    run = dnnlint("check", "--verbose", "--exit-zero")
    assert f"dnnlint: {tree / 'src'} holds other files, so that no cache is written there\n" in run.err
    assert sorted(os.listdir("src")) == before
    assert dnnlint("clean").code == 2


def test_notebook_and_module_of_the_same_bytes_differ() -> None:
    """They are read in different ways."""
    assert content_key(Job("a.py", b"1", SETTINGS)) != content_key(Job("a.ipynb", b"1", SETTINGS))


class TestClean:
    """``dnnlint clean``."""

    def test_removes_the_cache_of_the_project(self, tree: Path, dnnlint: RunCommand) -> None:
        """And says so."""
        dnnlint("check")
        run = dnnlint("clean")
        assert (run.code, run.out) == (0, f"Removed the cache in {tree / '.dnnlint_cache'}.\n")
        assert not (tree / ".dnnlint_cache").exists()
        assert dnnlint("clean").out == f"No cache in {tree / '.dnnlint_cache'}.\n"

    def test_finds_the_cache_of_another_folder(self, tree: Path, dnnlint: RunCommand) -> None:
        """By its configuration."""
        write(tree, {"dnnlint.toml": 'cache-dir = "c"', "pkg/a.py": ""})
        dnnlint("check")
        assert dnnlint("clean", "pkg").out == f"Removed the cache in {tree / 'c'}.\n"
        assert not (tree / "c").exists()

    def test_leaves_other_folders_alone(self, tree: Path, dnnlint: RunCommand) -> None:
        """A mistaken setting must not delete a project."""
        write(tree, {"dnnlint.toml": 'cache-dir = "src"', "src/a.py": ""})
        run = dnnlint("clean")
        assert run.code == 2
        assert "src: this folder was not made by dnnlint" in run.err
        assert (tree / "src" / "a.py").exists()

    def test_other_files_of_the_folder_stay(self, tree: Path, dnnlint: RunCommand) -> None:
        """What somebody put into the cache later is not the tool's to remove."""
        dnnlint("check")
        write(tree, {".dnnlint_cache/notes.txt": "x"})
        assert dnnlint("clean").code == 0
        assert [path.name for path in (tree / ".dnnlint_cache").iterdir()] == ["notes.txt"]

    def test_names_a_folder_that_does_not_exist(self, dnnlint: RunCommand) -> None:
        """Like any missing path."""
        assert dnnlint("clean", "nowhere").err == "dnnlint: error: nowhere: no such folder\n"

    def test_says_why_it_failed(self, tree: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
        """In one line."""
        dnnlint("check")

        def refuse(path: str) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("os.remove", refuse)
        run = dnnlint("clean")
        assert run.code == 2
        assert "cannot be removed: Permission denied" in run.err

"""Which files a check looks at."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import RunCommand, write

FILES = ("a.py", "b.ipynb", "c.txt", "pkg/d.py", "pkg/e.pyw", "build/f.py", ".venv/g.py", "env/pyvenv.cfg", "env/h.py")
FOUND = ["a.py", "b.ipynb", "pkg/d.py", "pkg/e.pyw"]

Show = Callable[..., list[str]]


@pytest.fixture
def tree(project: Path) -> Path:
    write(project, dict.fromkeys(FILES, ""))
    return project


@pytest.fixture
def show(tree: Path, dnnlint: RunCommand) -> Show:
    """The names of the files that a command line would check."""

    def names(*arguments: str) -> list[str]:
        run = dnnlint("check", "--show-files", *arguments)
        assert (run.code, run.err) == (0, "")
        return [name.replace(os.sep, "/") for name in run.out.splitlines()]

    return names


PATHS: dict[str, tuple[tuple[str, ...], list[str]]] = {
    "the working folder": ((), FOUND),
    "a folder": (("pkg",), ["pkg/d.py", "pkg/e.pyw"]),
    "a file of any suffix": (("c.txt",), ["c.txt"]),
    "an excluded file": (("build/f.py",), ["build/f.py"]),
    "an excluded folder": (("build",), ["build/f.py"]),
    "a glob": (("pkg/*.py",), ["pkg/d.py"]),
    "a recursive glob": (("**/*.py",), ["a.py", "build/f.py", "env/h.py", "pkg/d.py"]),
    "twice": ((".", "pkg", "a.py", "./a.py", "pkg/../a.py"), FOUND),
    "forced exclusion": (("--force-exclude", "build/f.py", "a.py"), ["a.py"]),
}


@pytest.mark.parametrize(("arguments", "names"), PATHS.values(), ids=PATHS)
def test_paths(arguments: tuple[str, ...], names: list[str], show: Show) -> None:
    """Named files are always checked; folders give Python files and notebooks, each once, in order."""
    assert show(*arguments) == names


EXCLUDES = {
    "one more name": ('extend-exclude = ["pkg"]', ["a.py", "b.ipynb"]),
    "one more pattern": ('extend-exclude = ["pkg/*.pyw", "*.ipynb"]', ["a.py", "pkg/d.py"]),
    "anchored pattern": ('extend-exclude = ["/d.py"]', FOUND),
    "pattern of a folder": ('extend-exclude = ["pk*/"]', ["a.py", "b.ipynb"]),
    "negated pattern": ('extend-exclude = ["*.py", "!d.py"]', ["b.ipynb", "pkg/d.py", "pkg/e.pyw"]),
    "in place of the defaults": ('exclude = ["pkg"]', [".venv/g.py", "a.py", "b.ipynb", "build/f.py"]),
}


@pytest.mark.parametrize(("setting", "names"), EXCLUDES.values(), ids=EXCLUDES)
def test_excludes(setting: str, names: list[str], show: Show, tree: Path) -> None:
    """Patterns are those of .gitignore, relative to the configuration file."""
    write(tree, {"dnnlint.toml": setting})
    assert show() == names
    assert show("--force-exclude", *names) == names


def test_invalid_pattern_is_named(tree: Path, dnnlint: RunCommand) -> None:
    """A pattern that cannot be read is a bad configuration."""
    write(tree, {"dnnlint.toml": 'extend-exclude = ["!"]'})
    run = dnnlint("check")
    assert run.code == 2
    assert "dnnlint.toml: extend-exclude: invalid pattern" in run.err


def test_forced_exclusion_ends_at_the_root(tree: Path, show: Show) -> None:
    """Patterns of a configuration say nothing about files outside its folder."""
    write(tree, {"pkg/dnnlint.toml": 'extend-exclude = ["*"]'})
    assert show("--force-exclude", "--config", "pkg/dnnlint.toml", "a.py", "pkg/d.py") == ["a.py"]


GITIGNORES = {
    "a name": ({".gitignore": "d.py\n"}, ["a.py", "b.ipynb", "pkg/e.pyw"]),
    "a folder": ({".gitignore": "# generated\n\npkg/\n"}, ["a.py", "b.ipynb"]),
    "a deeper file allows again": ({".gitignore": "*.py\n", "pkg/.gitignore": "!d.py\n"}, FOUND[1:]),
    "a deeper file holds below itself only": ({"pkg/.gitignore": "*.py\n"}, ["a.py", "b.ipynb", "pkg/e.pyw"]),
    "anchored": ({".gitignore": "/a.py\n"}, FOUND[1:]),
    "a pattern that git cannot read": ({".gitignore": "!\nd.py\n"}, ["a.py", "b.ipynb", "pkg/e.pyw"]),
    "nothing": ({".gitignore": "\n# nothing\n"}, FOUND),
    "bytes that are no UTF-8": ({".gitignore": b"\xff\xfe\na.py\n"}, FOUND[1:]),
}


@pytest.mark.parametrize(("files", "names"), GITIGNORES.values(), ids=GITIGNORES)
def test_gitignore(files: dict[str, str | bytes], names: list[str], show: Show, tree: Path) -> None:
    """What git ignores is skipped unless that is switched off."""
    write(tree, files)
    assert show() == names
    assert show("--no-respect-gitignore") == FOUND
    write(tree, {"dnnlint.toml": "respect-gitignore = false"})
    assert show() == FOUND
    assert show("--respect-gitignore") == names


def test_gitignore_above_the_named_folder_holds(show: Show, tree: Path) -> None:
    """Inside a repository the files of the folders above count, up to its root and no further."""
    write(tree, {".gitignore": "d.py\n", "pkg/deep/d.py": "", "pkg/deep/k.py": ""})
    assert show("pkg/deep") == ["pkg/deep/d.py", "pkg/deep/k.py"]
    (tree / "pkg" / ".git").mkdir()
    assert show("pkg/deep") == ["pkg/deep/d.py", "pkg/deep/k.py"]
    (tree / ".git").mkdir()
    (tree / "pkg" / ".git").rmdir()
    assert show("pkg/deep") == ["pkg/deep/k.py"]


def test_ignored_folder_that_is_named_is_checked(show: Show, tree: Path) -> None:
    """Who names a folder wants its files."""
    (tree / ".git").mkdir()
    write(tree, {".gitignore": "pkg/\n"})
    assert show("pkg") == ["pkg/d.py", "pkg/e.pyw"]


def test_links_do_no_harm(show: Show, tree: Path) -> None:
    """Links to folders are not followed, links to nothing are skipped, links to files are checked."""
    (tree / "pkg" / "loop").symlink_to(tree, target_is_directory=True)
    (tree / "gone.py").symlink_to(tree / "nowhere.py")
    (tree / "self.py").symlink_to(tree / "self.py")
    (tree / "link.py").symlink_to(tree / "a.py")
    assert show() == ["a.py", "b.ipynb", "link.py", "pkg/d.py", "pkg/e.pyw"]
    assert show("pkg/loop")[0] == "pkg/loop/a.py"


MISSING = {
    "a file": ("nowhere.py", "nowhere.py: no such file or directory"),
    "a glob": ("pkg/*.rst", "pkg/*.rst: no file matches this pattern"),
}


@pytest.mark.parametrize(("path", "message"), MISSING.values(), ids=MISSING)
def test_missing_path(path: str, message: str, dnnlint: RunCommand, tree: Path) -> None:
    """A path that does not exist is a failure with one clear message."""
    run = dnnlint("check", path)
    assert (run.code, run.out, run.err) == (2, "", f"dnnlint: error: {message}\n")


def test_named_link_to_nothing_cannot_be_read(dnnlint: RunCommand, project: Path) -> None:
    """It is reported like any unreadable file."""
    (project / "gone.py").symlink_to(project / "nowhere.py")
    run = dnnlint("check", "gone.py")
    assert run.code == 2
    assert run.err == "dnnlint: error: gone.py: cannot be read: No such file or directory\n"


def test_folder_that_cannot_be_listed_is_reported(
    dnnlint: RunCommand, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files are not silently taken for checked."""
    real = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("pkg"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    run = dnnlint("check")
    assert run.code == 2
    assert run.err == "dnnlint: error: pkg: cannot be read: Permission denied\n"


def test_file_outside_the_working_folder_has_its_full_name(
    show: Show, tree: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A relative name would be hard to read."""
    other = tmp_path_factory.mktemp("other")
    write(other, {"x.py": ""})
    assert show(str(other)) == [f"{other}/x.py"]

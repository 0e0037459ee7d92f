"""What commands import, which decides how fast they start."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import python, write

SLOW = {
    "libcst",
    "rich",
    "dataclasses",
    "inspect",
    "importlib.metadata",
    "multiprocessing",
    "concurrent.futures",
    "pathspec",
    "tomllib",
    "difflib",
    "torch",
    "yaml",
    "unicodedata",
}
NEVER = {
    "libcst.matchers",
    "libcst.codemod",
    "rich",
    "importlib.metadata",
    "concurrent.futures",
    "multiprocessing",
    "torch",
}
IMPORTS = "import sys; from dnnlint.cli import main; code = main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"


def imported(project: Path, *arguments: str) -> set[str]:
    """The modules that a command leaves imported in a fresh interpreter."""
    run = python("-c", IMPORTS, *arguments, cwd=project)
    assert run.stdout
    return set(run.stderr.split())


class TestStart:
    """What is imported decides how fast a command starts; times are measured in benchmarks/."""

    def test_file_without_training(self, project: Path) -> None:
        """Nothing slow, with and without a cache."""
        write(project, {"a.py": "x = 1\n"})
        for _ in range(2):
            assert imported(project, "check", "a.py") & SLOW == set()

    def test_answer_from_the_cache(self, project: Path) -> None:
        """Without libcst."""
        write(project, {"a.py": "import torch\n"})
        assert "libcst" in imported(project, "check", "a.py")
        assert imported(project, "check", "a.py") & SLOW == set()

    def test_analysis(self, project: Path) -> None:
        """The slow parts of libcst, and what only a terminal or a large tree needs, stay out."""
        write(project, {"a.py": "import torch\nx = 1  # dnnlint: ignore\n"})
        assert imported(project, "check", "--no-cache", "a.py") & NEVER == set()

    @pytest.mark.parametrize("arguments", [("--version",), ("rule", "--all"), ("rule", "DNN000")], ids=" ".join)
    def test_other_verbs(self, arguments: tuple[str, ...], project: Path) -> None:
        """They need no analysis."""
        assert imported(project, *arguments) & SLOW == set()

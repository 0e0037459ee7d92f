"""The example plug-in, built and installed as its users would, beside the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT, python, write

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugin"
STRAY = 'import torch\n\ntorch.save({}, "model.pt")\n'


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path for imports that leads to the checkout and to the installed plug-in."""
    source = shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("source") / "plugin")
    site = tmp_path_factory.mktemp("site")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--target", site)
    command = [sys.executable, "-m", "pip", "install", *options, source]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return os.pathsep.join((ROOT, str(site)))


def test_example_is_checked_with(path: str, project: Path) -> None:
    """Named in the configuration, the rule reports, and its fix is applied."""
    write(project, {"train.py": STRAY, "pyproject.toml": '[tool.dnnlint]\nplugins = ["house"]\nselect = ["HSE"]\n'})
    command = ("-m", "dnnlint", "check", "--format", "concise", "--unsafe-fixes")
    run = python(*command, "train.py", cwd=project, PYTHONPATH=path)
    assert (run.returncode, run.stderr) == (1, "")
    assert run.stdout.startswith("train.py:3:16: warning HSE101 ")
    assert python(*command, "--fix", "train.py", cwd=project, PYTHONPATH=path).returncode == 0
    assert (project / "train.py").read_text() == STRAY.replace("model.pt", "checkpoints/model.pt")


def test_answer_from_the_cache_needs_no_parser(path: str, project: Path) -> None:
    """The plug-in imports libcst only when its rule runs."""
    write(project, {"train.py": STRAY})
    code = "import sys; from dnnlint.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    arguments = ("check", "--plugin", "house", "train.py")
    runs = [python("-c", code, *arguments, cwd=project, PYTHONPATH=path).stdout for _ in range(2)]
    assert ["HSE101" in run for run in runs] == [True, True]
    assert ["libcst" in run.split() for run in runs] == [True, False]


def test_page_of_the_example_is_installed(path: str, project: Path) -> None:
    """``dnnlint rule`` shows it."""
    run = python("-m", "dnnlint", "rule", "--plugin", "house", "HSE101", cwd=project, PYTHONPATH=path)
    page = (EXAMPLE / "dnnlint_house" / "stray_checkpoint.md").read_text(encoding="utf-8")
    assert run.stdout == f"HSE101 stray-checkpoint: warning, family house, unsafe fix\n\n{page}"


def test_tests_of_the_example_pass(path: str, project: Path) -> None:
    """They use ``dnnlint.testing`` alone."""
    shutil.copytree(EXAMPLE / "tests", project / "tests")
    run = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=project, PYTHONPATH=path)
    assert run.returncode == 0, run.stdout
    assert "6 passed" in run.stdout


def test_types_of_the_example_hold(path: str, project: Path) -> None:
    """What a rule and its tests use of dnnlint is typed."""
    pytest.importorskip("mypy")
    shutil.copytree(EXAMPLE, project / "plugin")
    write(
        project,
        {"mypy.ini": f"[mypy]\nstrict = true\nmypy_path = {project / 'plugin'}:{ROOT}\nfollow_imports = silent\n"},
    )
    targets = ("plugin/dnnlint_house", "plugin/tests/test_rules.py")
    run = python("-m", "mypy", "--explicit-package-bases", *targets, cwd=project, PYTHONPATH=path)
    assert run.returncode == 0, run.stdout

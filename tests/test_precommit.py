"""The hook runs from a clone as pre-commit installs it: an environment of its own, made by pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples" / "language_model"
GIT_IDENTITY = ("-c", "user.name=test", "-c", "user.email=test@example.org")


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], cwd=cwd, env={**os.environ, **(env or {})}, capture_output=True, text=True
    )


def git(*arguments: str | Path, cwd: Path) -> None:
    result = run("git", *GIT_IDENTITY, *arguments, cwd=cwd)
    assert result.returncode == 0, result.stderr


@pytest.fixture(scope="module")
def hook_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the last commit; skips where there is none, or where pip reaches no packages."""
    if not (ROOT / ".git").exists():
        pytest.skip("the sources are not a git checkout")
    folder = tmp_path_factory.mktemp("hook")
    probe = run(
        sys.executable, "-m", "pip", "download", "--no-deps", "--dest", folder / "probe", "pathspec", cwd=folder
    )
    if probe.returncode != 0:
        pytest.skip("pip has no source of packages here, so pre-commit cannot make an environment")
    git("clone", "--quiet", ROOT, folder / "dnnlint", cwd=folder)
    return folder / "dnnlint"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a faulty trainer, once more in an excluded folder, its corrected version, and other files."""
    folder = tmp_path / "project"
    folder.mkdir()
    git("init", "--quiet", cwd=folder)
    shutil.copy(EXAMPLES / "train_faulty.py", folder / "faulty.py")
    shutil.copy(EXAMPLES / "train.py", folder / "clean.py")
    (folder / "vendored").mkdir()
    shutil.copy(EXAMPLES / "train_faulty.py", folder / "vendored" / "other.py")
    (folder / "dnnlint.toml").write_text('exclude = ["vendored"]\n', encoding="utf-8")
    (folder / "notes.txt").write_text("import torch\n", encoding="utf-8")
    (folder / "requirements.txt").write_text("torch\n", encoding="utf-8")
    (folder / "config.yaml").write_text("model: torch\nlayers: [\n", encoding="utf-8")
    git("add", ".", cwd=folder)
    git("commit", "--quiet", "--message", "Start", cwd=folder)
    return folder


def try_hook(source: Path, repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(source), "dnnlint", "--verbose", *arguments]
    return run(*command, cwd=repository, env={"PRE_COMMIT_COLOR": "never"})


def test_hook_reports_the_faulty_files_alone(hook_source: Path, repository: Path) -> None:
    result = try_hook(hook_source, repository, "--all-files")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "exit code: 1" in result.stdout
    assert "DNN103" in result.stdout
    assert "faulty.py" in result.stdout
    assert "requirements.txt:1:1: warning DNN901" in result.stdout
    assert "notes.txt" not in result.stdout
    assert "config.yaml" not in result.stdout
    assert "clean.py" not in result.stdout
    assert "other.py" not in result.stdout


def test_hook_passes_on_the_corrected_file(hook_source: Path, repository: Path) -> None:
    result = try_hook(hook_source, repository, "--files", "clean.py")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "Passed" in result.stdout

"""The examples show what their table says: each fault at its line, and nothing in the corrected trainers."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
FOLDERS = ("image_classification", "language_model")
SMALL_RUN = {
    "image_classification": ("--epochs", "1", "--train-samples", "64", "--batch-size", "8", "--workers", "0"),
    "language_model": ("--steps", "2", "--evaluate-every", "2", "--num-workers", "0"),
}


def expected_findings() -> set[tuple[str, str, int]]:
    with open(EXAMPLES / "EXPECT.csv", newline="", encoding="utf-8") as file:
        return {(row["file"], row["rule"], int(row["line"])) for row in csv.DictReader(file)}


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True)


def findings(*paths: str) -> set[tuple[str, str, int]]:
    """Errors and warnings of one check; advice is left to the reader."""
    result = run("-m", "dnnlint", "check", "--no-cache", "--format", "json", *paths, cwd=EXAMPLES)
    assert result.returncode in (0, 1), result.stderr
    found = json.loads(result.stdout)["findings"]
    return {(item["path"], item["code"], item["line"]) for item in found if item["severity"] != "advice"}


@pytest.mark.parametrize("folder", FOLDERS)
def test_faulty_trainer_has_the_listed_findings(folder: str) -> None:
    path = f"{folder}/train_faulty.py"
    assert findings(path) == {row for row in expected_findings() if row[0] == path}


@pytest.mark.parametrize("folder", FOLDERS)
def test_corrected_trainer_is_clean(folder: str) -> None:
    assert findings(f"{folder}/train.py") == set()


def test_faulty_deployment_has_the_listed_findings() -> None:
    """Each of the specification's own snippets is found at its line."""
    listed = {row for row in expected_findings() if row[0].startswith("deploy/")}
    assert {(path.replace(os.sep, "/"), code, line) for path, code, line in findings("deploy/faulty")} == listed


def test_corrected_deployment_is_clean() -> None:
    assert findings("deploy/corrected") == set()


@pytest.mark.parametrize("name", sorted(path.name for path in (EXAMPLES / "deploy" / "faulty").iterdir()))
def test_every_faulty_file_has_a_corrected_twin(name: str) -> None:
    assert (EXAMPLES / "deploy" / "corrected" / name).is_file()


def test_every_fault_is_explained() -> None:
    """The page of the examples names each rule of the table, in the section of its trainer."""
    sections = (EXAMPLES / "README.md").read_text(encoding="utf-8").split("\n## ")
    explained = {
        (section.split("\n")[0], line.split(" ")[1])
        for section in sections
        for line in section.split("\n")
        if line.startswith("| DNN")
    }
    assert explained == {(file.split("/")[0], rule) for file, rule, _ in expected_findings()}


@pytest.mark.parametrize("script", ["train.py", "train_faulty.py"])
@pytest.mark.parametrize("folder", FOLDERS)
def test_trainer_runs(folder: str, script: str, tmp_path: Path) -> None:
    """A small run on synthetic data ends well, leaves a checkpoint and goes on from it."""
    pytest.importorskip("torch", reason="the trainers need PyTorch, the tests do not")
    for resume in ([], ["--resume"]):
        result = run(str(EXAMPLES / folder / script), *SMALL_RUN[folder], *resume, cwd=tmp_path)
        assert result.returncode == 0, result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.pt"]


def test_demo_fails_without_findings(tmp_path: Path) -> None:
    """A dnnlint that finds nothing must not pass as a demonstration."""
    silent = tmp_path / "dnnlint"
    silent.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    silent.chmod(0o755)
    result = subprocess.run(["sh", str(EXAMPLES / "demo.sh"), str(silent)], capture_output=True, text=True)
    assert result.returncode == 1
    assert "exit code 0, expected 1" in result.stdout

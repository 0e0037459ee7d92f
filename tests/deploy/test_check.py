"""Deployment files in ``dnnlint check``: found, suppressed, cached, fixed and reported like Python files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import RunCommand, python, write

COMPOSE = """\
services:
  train:
    image: pytorch/pytorch:2.6.0-cuda12.4-cudnn9-runtime
    command: python loop_training.py
    gpus: all
"""
SCRIPT = "from torch.utils.data import DataLoader\nDataLoader([], num_workers={})\n"
DOCKERFILE = "FROM pytorch/pytorch:latest\nRUN useradd a\nUSER a\n"


def codes(dnnlint: RunCommand, *arguments: str) -> list[tuple[str, int]]:
    """The codes and lines that a check reports."""
    run = dnnlint("check", "--format", "json", *arguments)
    return [(item["code"], item["line"]) for item in json.loads(run.out)["findings"]]


def test_folder_is_searched(project: Path, dnnlint: RunCommand) -> None:
    """Deployment files are found by name, manifests by content, and other data is not listed."""
    names = ("Dockerfile", "compose.yaml", "k8s/pod.yaml", "run.sh", "requirements.txt", "config.yaml", "notes.txt")
    write(project, dict.fromkeys(names, ""))
    write(project, {"k8s/pod.yaml": "apiVersion: v1\nkind: Pod\n", "compose.yaml": COMPOSE, "config.yaml": "lr: 1\n"})
    run = dnnlint("check", "--show-files")
    assert run.out.split() == ["Dockerfile", "compose.yaml", "k8s/pod.yaml", "requirements.txt", "run.sh"]


def test_named_data_file_is_passed_over(project: Path, dnnlint: RunCommand) -> None:
    """pre-commit names every changed file; YAML of another tool is no Python."""
    write(project, {"config.yaml": "model: torch\n- [\n", "ruff.toml": "x = torch\n"})
    assert dnnlint("check", "config.yaml", "ruff.toml").code == 0


def test_finding_has_its_place(project: Path, dnnlint: RunCommand) -> None:
    """Columns count characters, also behind characters of several bytes."""
    write(project, {"compose.yaml": 'services:\n  "é": {image: redis:7}\n  "ü": {image: pytorch:latest}\n'})
    (item,) = json.loads(dnnlint("check", "--format", "json").out)["findings"]
    assert (item["line"], item["column"], item["end_column"]) == (3, 16, 30)


SUPPRESSIONS = {
    "behind the line": ("services:\n  a:\n    image: pytorch:latest  # noqa: DNN904\n", "compose.yaml"),
    "above the line": ("# noqa: DNN904\nFROM pytorch/pytorch:latest\nUSER a\n", "Dockerfile"),
    "above a continued line": (
        "FROM a/b:1\nUSER a\n# dnnlint: ignore[DNN901]\nRUN pip install \\\n  torch\n",
        "Dockerfile",
    ),
    "for the file": ("# dnnlint: ignore-file[unpinned-framework]\ntorch\n", "requirements.txt"),
    "in requirements": ("torch  # noqa: DNN901\n", "requirements.txt"),
}


@pytest.mark.parametrize(("text", "name"), SUPPRESSIONS.values(), ids=SUPPRESSIONS)
def test_comment_silences(text: str, name: str, project: Path, dnnlint: RunCommand) -> None:
    """A comment stands for its line, or for the statement below when it has a line of its own."""
    write(project, {name: text})
    assert codes(dnnlint, name) == []


def test_unused_suppression_is_reported(project: Path, dnnlint: RunCommand) -> None:
    """As in Python files."""
    write(project, {"requirements.txt": "torch==2.6.0  # noqa: DNN901\n"})
    assert codes(dnnlint, "requirements.txt") == [("DNN001", 1)]


def test_cache_knows_the_neighbours(project: Path, dnnlint: RunCommand) -> None:
    """A result holds as long as the file, its name and what lies beside it stay the same."""
    write(project, {"compose.yaml": COMPOSE, "loop_training.py": SCRIPT.format(8)})
    assert codes(dnnlint, "compose.yaml") == [("DNN906", 2)]
    assert "1 of 1 files answered from the cache" in dnnlint("check", "--verbose", "compose.yaml").err
    write(project, {"loop_training.py": SCRIPT.format(0)})
    assert codes(dnnlint, "compose.yaml") == []


def test_lock_file_counts_when_it_appears(project: Path, dnnlint: RunCommand) -> None:
    """It is looked for at every run."""
    write(project, {"requirements.txt": "torch\n"})
    assert codes(dnnlint, "requirements.txt") == [("DNN901", 1)]
    write(project, {"uv.lock": ""})
    assert codes(dnnlint, "requirements.txt") == []


def test_included_requirements_are_read(project: Path, dnnlint: RunCommand) -> None:
    """``-r`` and ``-c`` may bound what the file itself leaves open."""
    write(project, {"requirements.txt": "-r base/core.txt\ntorch\n", "base/core.txt": "torch==2.6.0\n"})
    assert codes(dnnlint, "requirements.txt") == []


def test_command_line_sets_the_workers(project: Path, dnnlint: RunCommand) -> None:
    """An option wins over the default of the script."""
    write(project, {"compose.yaml": COMPOSE.replace("training.py", "training.py --workers 0")})
    assert codes(dnnlint, "compose.yaml") == []


def test_fix_is_written(project: Path, dnnlint: RunCommand) -> None:
    """A shell script is fixed like a Python file, and no other byte of it changes."""
    text = "# é\npython -m torch.distributed.launch --use_env \\\n  train.py\n"
    write(project, {"run.sh": text})
    assert dnnlint("check", "--fix", "run.sh").code == 0
    assert (project / "run.sh").read_text("utf-8") == "# é\ntorchrun \\\n  train.py\n"


def test_standard_input_is_taken_by_its_name(project: Path, dnnlint: RunCommand) -> None:
    """So that rendered templates can be checked."""
    run = dnnlint("check", "--format", "concise", "--stdin-filename", "Dockerfile", "-", stdin=DOCKERFILE.encode())
    assert run.out.startswith("Dockerfile:1:6: warning DNN904")


def test_template_is_a_notice(project: Path, dnnlint: RunCommand) -> None:
    """It is said that a template was not checked, and that fails no run."""
    write(project, {"templates/job.yaml": "apiVersion: v1\nkind: Job\n{{- if .gpu }}\nx: nvidia\n{{- end }}\n"})
    run = dnnlint("check", "--format", "json")
    (item,) = json.loads(run.out)["findings"]
    assert (run.code, item["code"], item["severity"], item["line"]) == (0, "DNN003", "advice", 3)


@pytest.mark.parametrize("data", [b"torch\0", b"torch \xff\n", b"torch==1\r\n\r"], ids=["NUL", "no UTF-8", "lone CR"])
def test_odd_bytes_are_a_finding_or_nothing(data: bytes, project: Path, dnnlint: RunCommand) -> None:
    """Nothing crashes."""
    write(project, {"requirements.txt": data})
    assert dnnlint("check", "requirements.txt").code in (0, 1)


def test_broken_file_stops_nothing(project: Path, dnnlint: RunCommand) -> None:
    """A file that does not parse is a finding at its line."""
    write(project, {"compose.yaml": "services:\n  train: [torch\n", "requirements.txt": "torch\n"})
    assert [code for code, _ in codes(dnnlint)] == ["DNN000", "DNN901"]


def test_deployment_files_need_no_libcst(project: Path) -> None:
    """Its import is most of what a check costs."""
    write(project, {"run.sh": "python -m torch.distributed.launch train.py\n", "Dockerfile": DOCKERFILE})
    code = "import sys; from dnnlint.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    run = python("-c", code, "check", "--no-cache", "run.sh", "Dockerfile", cwd=project)
    assert "DNN604" in run.stdout
    assert "libcst" not in run.stderr.split()


def test_python_files_pay_nothing(project: Path) -> None:
    """The parsers are imported for the files that need them."""
    write(project, {"a.py": "import torch\n", "uv.lock": "torch\n"})
    code = "import sys; from dnnlint.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    run = python("-c", code, "check", "--no-cache", "a.py", cwd=project)
    assert not {"ruamel.yaml", "tree_sitter", "packaging", "dnnlint.deploy.build"} & set(run.stderr.split())

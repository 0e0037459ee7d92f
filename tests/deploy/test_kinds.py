"""Which files are taken for what, by name and by content."""

from __future__ import annotations

import pytest

from dnnlint.deploy import kinds

NAMES = {
    "requirements.txt": kinds.REQUIREMENTS,
    "requirements-dev.txt": kinds.REQUIREMENTS,
    "docker/gpu_requirements.txt": kinds.REQUIREMENTS,
    "requirements/train.txt": kinds.REQUIREMENTS,
    "requirements.in": kinds.REQUIREMENTS,
    "environment.yml": kinds.CONDA,
    "conda-gpu.yaml": kinds.CONDA,
    "pyproject.toml": kinds.PYPROJECT,
    "setup.cfg": kinds.SETUP_CFG,
    "Dockerfile": kinds.DOCKERFILE,
    "Dockerfile.gpu": kinds.DOCKERFILE,
    "train.Dockerfile": kinds.DOCKERFILE,
    "Containerfile": kinds.DOCKERFILE,
    "docker-compose.yml": kinds.COMPOSE,
    "compose.override.yaml": kinds.COMPOSE,
    "run.sh": kinds.SHELL,
    "job.slurm": kinds.SHELL,
    "notes.txt": None,
    "dockerfile.py": None,
    "Dockerfile.j2": None,
    "README.md": None,
    "conda-lock.yml": None,
    "train.py": None,
}


@pytest.mark.parametrize(("name", "kind"), NAMES.items(), ids=NAMES)
def test_name_tells_the_kind(name: str, kind: str | None) -> None:
    """Files are recognised by their names."""
    assert kinds.kind_by_name(name) == kind


CONTENTS = {
    "manifest": ("a/pod.yaml", b"# c\napiVersion: v1\nkind: Pod\n", kinds.KUBERNETES),
    "manifest under the name of an environment": ("env.yaml", b"apiVersion: v1\nkind: ConfigMap\n", kinds.KUBERNETES),
    "data": ("config/train.yaml", b"lr: 0.1\n", kinds.OTHER),
    "settings under the name of an environment": ("env.yaml", b"lr: 0.1\n", kinds.OTHER),
    "compose without services": ("compose.yaml", b"x: 1\n", kinds.OTHER),
    "TOML of another tool": ("ruff.toml", b"x = 1\n", kinds.OTHER),
    "Python": ("a.py", b"apiVersion: v1\nkind: Pod\n", None),
}


@pytest.mark.parametrize(("name", "data", "kind"), CONTENTS.values(), ids=CONTENTS)
def test_content_decides_about_yaml(name: str, data: bytes, kind: str | None) -> None:
    """Most YAML is data of other tools."""
    assert kinds.kind_of(name, data) == kind


@pytest.mark.parametrize("name", ["uv.lock", "poetry.lock", "conda-lock.yml", "pylock.dev.toml", "Pipfile.lock"])
def test_lock_files_are_known(name: str) -> None:
    """They are evidence of pinning, and nothing to check."""
    assert kinds.is_lock_file(name)

"""What several test modules share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import dnnlint

ROOT = str(Path(dnnlint.__file__).parents[1])
"""The checkout."""

Golden = Callable[[str, str], None]
"""Compares a text with a file beside the test."""


class Run(NamedTuple):
    """The outcome of a command."""

    code: int
    out: str
    err: str


class RunCommand(Protocol):
    """Runs the command line in this process."""

    def __call__(self, *arguments: str, stdin: bytes | None = None) -> Run: ...


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files below a folder, with the line breaks they have."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def notebook(*cells: str | tuple[str, object]) -> bytes:
    """A notebook with the given code cells; a pair gives another type of cell."""
    pairs = [cell if isinstance(cell, tuple) else ("code", cell) for cell in cells]
    document = {"cells": [{"cell_type": kind, "source": source} for kind, source in pairs], "nbformat": 4}
    return json.dumps(document).encode()


def python(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the interpreter with the checkout on its path."""
    variables = {**os.environ, "PYTHONPATH": ROOT, "COVERAGE_PROCESS_START": "", **environment}
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=variables, capture_output=True, text=True, check=False
    )


def shell(command: str, cwd: Path) -> tuple[int, str]:
    """Exit code and standard error of a command for the shell, in which ``{dnnlint}`` stands for the tool."""
    script = command.replace("{dnnlint}", f"{sys.executable} -m dnnlint")
    variables = {**os.environ, "PYTHONPATH": ROOT, "PYTHONUNBUFFERED": ""}
    done = subprocess.run(
        ["bash", "-c", script], cwd=cwd, env=variables, stderr=subprocess.PIPE, text=True, check=False
    )
    return done.returncode, done.stderr

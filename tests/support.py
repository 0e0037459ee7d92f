"""What several test modules share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

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

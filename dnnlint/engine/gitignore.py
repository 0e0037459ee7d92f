"""Honour .gitignore files, nested ones too, as git does: the deepest file that has an opinion decides."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_FILE = ".gitignore"


class IgnoreStack:
    """The .gitignore files that apply to one folder, from the outermost inwards."""

    __slots__ = ("_specs",)

    def __init__(self, specs: tuple[tuple[str, GitIgnoreSpec], ...] = ()) -> None:
        """Start from folders with their patterns, the outermost first."""
        self._specs = specs

    @classmethod
    def above(cls, folder: str) -> IgnoreStack:
        """The files of the folders above an absolute folder, up to the root of its git repository."""
        parents = _parents_in_repository(folder)
        stack = cls()
        for parent in parents:
            stack = stack.enter(parent)
        # A folder that is itself ignored was named on purpose: what ignores it says nothing about its files.
        return cls() if stack.ignores(folder, is_folder=True) else stack

    def enter(self, folder: str) -> IgnoreStack:
        """The stack inside a folder, with its own .gitignore when it has one."""
        spec = _read_spec(os.path.join(folder, _FILE))
        return self if spec is None else IgnoreStack((*self._specs, (folder, spec)))

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether git would ignore a path below the folder of this stack."""
        for folder, spec in reversed(self._specs):
            relative = path[len(folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
            decision = spec.check_file(relative + "/" if is_folder else relative).include
            if decision is not None:
                return decision
        return False


def _parents_in_repository(folder: str) -> list[str]:
    parents: list[str] = []
    current = folder
    while not os.path.exists(os.path.join(current, ".git")):
        parent = os.path.dirname(current)
        if parent == current:
            return []
        parents.insert(0, parent)
        current = parent
    return parents


def _read_spec(path: str) -> GitIgnoreSpec | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            lines = [line for line in file.read().splitlines() if line.strip() and not line.startswith("#")]
    except OSError:
        return None
    if not lines:
        return None
    from pathspec import GitIgnoreSpec  # 20 ms, and only where there is something to ignore

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(_valid(lines))


def _valid(lines: list[str]) -> list[str]:
    from pathspec import GitIgnoreSpec

    valid: list[str] = []
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            continue  # git skips a pattern that it cannot read
        valid.append(line)
    return valid

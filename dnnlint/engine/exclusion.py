"""Excluded paths: patterns as in .gitignore, relative to the configuration file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_SPECIAL = frozenset("*?[]!/\\#")


class Exclusion:
    """The exclude patterns of one configuration."""

    def __init__(self, root: str, patterns: tuple[str, ...]) -> None:
        """Exclude what the patterns match, relative to a root."""
        self._root = root
        # Plain names, such as all defaults, need no pattern library to be imported.
        self._names = frozenset(pattern for pattern in patterns if _SPECIAL.isdisjoint(pattern))
        self._patterns = [pattern for pattern in patterns if not _SPECIAL.isdisjoint(pattern)]
        self._spec: GitIgnoreSpec | None = None

    def excludes(self, path: str, is_folder: bool) -> bool:
        """Whether a file or folder is excluded by itself; the folders above it were asked before."""
        if os.path.basename(path) in self._names:
            return True
        if not self._patterns:
            return False
        if self._spec is None:
            from pathspec import GitIgnoreSpec

            self._spec = GitIgnoreSpec.from_lines(self._patterns)
        relative = os.path.relpath(path, self._root).replace(os.sep, "/")
        return self._spec.match_file(relative + "/" if is_folder else relative)

    def excludes_any_part(self, path: str) -> bool:
        """Whether a file is excluded by itself or by a folder between it and the root."""
        relative = os.path.relpath(path, self._root)
        if relative.startswith(os.pardir):
            return False
        parts = relative.split(os.sep)
        folders = (os.path.join(self._root, *parts[:count]) for count in range(1, len(parts)))
        return any(self.excludes(folder, True) for folder in folders) or self.excludes(path, False)

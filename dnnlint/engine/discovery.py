"""Which files a check looks at: the paths of the command line, walked, filtered and put in order."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dnnlint.config.files import ConfigFinder
from dnnlint.config.model import Config
from dnnlint.deploy import kinds
from dnnlint.engine.errors import UsageError
from dnnlint.engine.exclusion import Exclusion
from dnnlint.engine.gitignore import IgnoreStack
from dnnlint.engine.model import FileError

SUFFIXES = (".py", ".pyw", ".ipynb")
SNIFFED_BYTES = 1 << 16
"""How much of a YAML file is read to tell whether it is a manifest."""
_GLOB_CHARACTERS = frozenset("*?[")


class Target(NamedTuple):
    """A file to check: where it lies, how reports name it, and the configuration that governs it."""

    path: str
    """Absolute."""
    name: str
    """Relative to the working folder where it lies below it."""
    config: Config
    walked: str | None = None
    """The folder of the command line that it was found in, None where the file was named itself."""


class WalkOptions(NamedTuple):
    """What the command line says about the walk."""

    respect_gitignore: bool | None = None
    """None leaves it to the configuration."""
    force_exclude: bool = False
    """Exclude also files that are named one by one, as pre-commit names them."""


class Discovery:
    """Finds the files behind a list of paths, directories and globs."""

    def __init__(self, finder: ConfigFinder, options: WalkOptions) -> None:
        """Find files under the exclusions of their configurations."""
        self._finder = finder
        self._options = options
        self._exclusions: dict[int, Exclusion] = {}
        self._seen: set[str] = set()
        self._here = os.getcwd()
        self.errors: list[FileError] = []
        """Folders that could not be listed and paths that are no files, after ``find``."""

    def find(self, paths: Iterable[str]) -> list[Target]:
        """Return the files to check, each once, ordered by name.

        Raises:
            UsageError: a path does not exist, or a glob matches nothing.
        """
        targets = [target for path in paths for expanded in _expand(path) for target in self._from(expanded)]
        return sorted(targets, key=lambda target: target.name)

    def _from(self, path: str) -> Iterator[Target]:
        absolute = os.path.normpath(os.path.join(self._here, path))
        if os.path.isdir(absolute):
            respect = self._respects_gitignore(absolute)
            ignores = IgnoreStack.above(absolute) if respect else IgnoreStack()
            yield from (target._replace(walked=absolute) for target in self._walk(absolute, ignores))
        elif os.path.exists(absolute) and not os.path.isfile(absolute):
            # Reading a pipe or a device may never end.
            self.errors.append(FileError(self._name(absolute), "not a regular file"))
        elif absolute not in self._seen:
            config = self._finder.for_folder(os.path.dirname(absolute))
            if not (self._options.force_exclude and self._exclusion(config).excludes_any_part(absolute)):
                yield self._target(absolute, config)

    def _walk(self, folder: str, ignores: IgnoreStack) -> Iterator[Target]:
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            self.errors.append(FileError(self._name(folder), f"cannot be read: {error.strerror or error}"))
            return
        config = self._finder.for_folder(folder)
        exclusion = self._exclusion(config)
        if self._respects_gitignore(folder):
            ignores = ignores.enter(folder)
        for entry in entries:
            # Links to folders are not followed: they could lead in circles, or to the same files again.
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not _is_candidate(entry.path):
                continue
            if exclusion.excludes(entry.path, is_folder) or ignores.ignores(entry.path, is_folder=is_folder):
                continue
            if is_folder:
                if not os.path.exists(os.path.join(entry.path, "pyvenv.cfg")):
                    yield from self._walk(entry.path, ignores)
            elif entry.path not in self._seen and os.path.isfile(entry.path) and _is_wanted(entry.path):
                yield self._target(entry.path, config)

    def _target(self, path: str, config: Config) -> Target:
        self._seen.add(path)
        return Target(path, self._name(path), config)

    def _name(self, path: str) -> str:
        below = self._here.rstrip(os.sep) + os.sep
        return path[len(below) :] if path.startswith(below) else path

    def _exclusion(self, config: Config) -> Exclusion:
        if id(config) not in self._exclusions:
            self._exclusions[id(config)] = Exclusion(config.root, (*config.exclude, *config.extend_exclude))
        return self._exclusions[id(config)]

    def _respects_gitignore(self, folder: str) -> bool:
        if self._options.respect_gitignore is not None:
            return self._options.respect_gitignore
        return self._finder.for_folder(folder).respect_gitignore


def _expand(path: str) -> list[str]:
    if os.path.exists(path):
        return [path]
    if _GLOB_CHARACTERS.isdisjoint(path):
        # A dangling link or a loop of links is named as such by the system when it is opened.
        if os.path.islink(path):
            return [path]
        raise UsageError(f"{path}: no such file or directory")
    import glob

    matches = sorted(match for match in glob.glob(path, recursive=True) if _is_checkable(match))
    if not matches:
        raise UsageError(f"{path}: no file matches this pattern")
    return matches


def _is_checkable(path: str) -> bool:
    return os.path.isdir(path) or (_is_candidate(path) and _is_wanted(path))


def _is_candidate(path: str) -> bool:
    """Whether the name says that a file may be checked."""
    return path.endswith(SUFFIXES) or kinds.kind_by_name(path) is not None or kinds.may_be_manifest(path)


def _is_wanted(path: str) -> bool:
    """Whether a file is one to check; most YAML is data of other tools, and only its content tells."""
    if not kinds.may_be_manifest(path):
        return True
    try:
        with open(path, "rb") as file:
            return kinds.kind_of(path, file.read(SNIFFED_BYTES)) != kinds.OTHER
    except OSError:
        return True  # reported when it is read

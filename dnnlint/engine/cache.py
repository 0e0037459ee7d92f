"""Results by the content of a file, its settings and the version of the tool, in one JSON file a project."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from importlib.util import find_spec

from dnnlint import __version__
from dnnlint.engine.analyse import Job
from dnnlint.engine.atomic import write_atomically
from dnnlint.engine.codec import decode_result, encode_result
from dnnlint.engine.model import FileResult
from dnnlint.project.tree import Projects, link_key

MAX_ENTRIES = 20_000
FORMAT_VERSION = 2
RESULTS_FILE = "check.json"
TAG_FILE = "CACHEDIR.TAG"
_IGNORE_ALL = "*\n"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of dnnlint; it can be deleted.\n"
_ANALYSIS_FOLDERS = ("deploy", "engine", "facts", "knowledge", "program", "project", "rules")


def is_tagged(folder: str) -> bool:
    """Whether a folder bears the tag that the cache writes, and not that of another tool."""
    try:
        with open(os.path.join(folder, TAG_FILE), encoding="utf-8", errors="replace") as file:
            return file.read() == _TAG
    except OSError:
        return False


def is_foreign(folder: str) -> bool:
    """Whether a folder is somebody else's: it holds other files than those of the cache, and not its tag."""
    try:
        names = set(os.listdir(folder))
    except OSError:
        return False  # it does not exist yet, or cannot be written either
    return bool(names - {RESULTS_FILE, TAG_FILE, ".gitignore"}) and not is_tagged(folder)


def remove_cache(folder: str) -> None:
    """Remove what the cache wrote into a folder, and the folder when nothing else is in it.

    Raises:
        OSError: a file cannot be removed.
    """
    for name in (RESULTS_FILE, TAG_FILE):
        _remove_file(os.path.join(folder, name))
    ignore = os.path.join(folder, ".gitignore")
    if os.path.isfile(ignore):
        with open(ignore, encoding="utf-8", errors="replace") as file:
            is_ours = file.read() == _IGNORE_ALL
        if is_ours:
            _remove_file(ignore)
    if not os.listdir(folder):
        os.rmdir(folder)


def _remove_file(path: str) -> None:
    if os.path.isfile(path):
        os.remove(path)


def tool_digest() -> str:
    """A digest of everything that decides about findings: the tool, its sources, libcst and the interpreter."""
    digest = hashlib.sha256(repr((FORMAT_VERSION, __version__, sys.version_info[:3])).encode())
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder in _ANALYSIS_FOLDERS:
        for path in _source_files(os.path.join(package, folder)):
            _update(digest, path)
    libcst = find_spec("libcst")
    if libcst is not None and libcst.origin is not None:
        _update(digest, os.path.join(os.path.dirname(libcst.origin), "_version.py"))
    return digest.hexdigest()


def content_key(job: Job) -> str:
    """The key of a file: what stands in it, what is asked of it, and whether it is a notebook."""
    digest = hashlib.sha256(job.data)
    kind = job.kind
    # What a deployment file is, and what a template is, depends on its path as well.
    named = os.path.splitext(job.name)[1] if kind is None else (kind, job.name)
    digest.update(repr((named, job.settings.key)).encode())
    for name, data in sorted(job.neighbours.items()):
        digest.update(repr((name, hashlib.sha256(data).digest())).encode())
    return digest.hexdigest()


class Cache:
    """Results of earlier runs; whatever cannot be read counts as empty, whatever cannot be written is dropped."""

    def __init__(self, folder: str, projects: Projects) -> None:
        """Read the cache of a folder; the folder is made when there is something to write."""
        self._folder = folder
        self._projects = projects
        self._tool = tool_digest()
        self._entries = self._load()
        self._is_changed = False

    def get(self, job: Job) -> FileResult | None:
        """The result of a file, under the name it has now."""
        key = content_key(job)
        entry = self._entries.get(key)
        if entry == 0:  # how the many files without findings are written
            return FileResult()
        try:
            if entry is None:
                entry = self._linked(job, self._entries[f"{key} {job.path}"])
            return decode_result(entry, job.name)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None

    def _linked(self, job: Job, stored: object) -> object:
        """The result of a file that depends on others, if they are as they were; None, which is no result, if not."""
        if not isinstance(stored, list):
            return None
        entry, link, *read = stored
        is_current = [link, *read] == self._state(job, [path for path, _ in read], is_linked=bool(link))
        return entry if is_current else None

    def _state(self, job: Job, paths: Iterable[str], *, is_linked: bool) -> list[object]:
        """What a result depends on beside its own file: the shape of the project around it, other files' contents."""
        tree = self._projects.tree(job.path, job.walked)
        return [link_key(tree, job.path) if is_linked else "", *([path, tree.digest(path)] for path in paths)]

    def put(self, job: Job, result: FileResult) -> None:
        """Keep a result, unless a failure made it incomplete."""
        if not result.errors:
            key = content_key(job)
            says_something = result.findings or result.suppressed or result.notes
            entry: object = encode_result(result) if says_something else 0
            if result.read or result.is_linked:
                key = f"{key} {job.path}"
                entry = [encode_result(result), *self._state(job, result.read, is_linked=result.is_linked)]
            self._entries.pop(key, None)
            self._entries[key] = entry
            self._is_changed = True

    def save(self) -> None:
        """Write the cache when it changed; a folder that cannot be written is no failure."""
        if not self._is_changed:
            return
        kept = dict(list(self._entries.items())[-MAX_ENTRIES:])
        text = json.dumps({"tool": self._tool, "entries": kept}, separators=(",", ":"))
        try:
            self._make_folder()
            write_atomically(self._file, text.encode())
        except OSError:
            return

    @property
    def _file(self) -> str:
        return os.path.join(self._folder, RESULTS_FILE)

    def _load(self) -> dict[str, object]:
        try:
            with open(self._file, "rb") as file:
                document = json.loads(file.read())
            entries = document["entries"] if document["tool"] == self._tool else {}
            return entries if isinstance(entries, dict) else {}
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return {}

    def _make_folder(self) -> None:
        os.makedirs(self._folder, exist_ok=True)
        for name, text in ((TAG_FILE, _TAG), (".gitignore", _IGNORE_ALL)):
            path = os.path.join(self._folder, name)
            if not os.path.exists(path):
                write_atomically(path, text.encode())


def _source_files(folder: str) -> list[str]:
    paths: list[str] = []
    for parent, folders, names in os.walk(folder):
        folders.sort()
        paths += [os.path.join(parent, name) for name in sorted(names) if name.endswith((".py", ".json"))]
    return paths


def _update(digest: hashlib._Hash, path: str) -> None:
    try:
        with open(path, "rb") as file:
            digest.update(file.read())
    except OSError:
        return

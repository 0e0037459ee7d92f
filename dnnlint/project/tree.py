"""The Python files of a project, which file an import means, and who imports whom."""

from __future__ import annotations

import hashlib
import os
import re

from dnnlint.config.model import DEFAULT_EXCLUDE
from dnnlint.engine.source import read_bytes
from dnnlint.project.imports import Imports, read_imports
from dnnlint.project.libraries import KNOWN

MAX_FILES = 5_000
"""A folder with more Python files is a collection of projects: of these only the files right in it are linked."""
MAX_MEMBERS = 40
MAX_MEMBER_BYTES = 1_500_000
"""Beyond this, the training code of a project is looked at file by file."""
_MAX_REEXPORTS = 4
_MARKERS = (".git", "pyproject.toml", "setup.py", "setup.cfg")
_SOURCE_FOLDERS = ("src", "lib", "python")
_SHADOWED = frozenset(
    "datasets evaluate types string queue random io logging statistics operator copy trace tokenizers".split()
)
"""Names of libraries that many projects give to files of their own, beside the script."""
_MEMBER = re.compile(
    rb"backward\(|\.step\(|zero_grad|DataLoader|clip_grad|autocast|GradScaler|no_grad|inference_mode|\.eval\(|"
    rb"torch\.save|torch\.load|torch\.distributed|DataParallel|GradientTape|\.fit\(|tf\.data|Trainer\(|half\(|float16|"
    rb"\.train\(|_hook\(|Dataset\)|Sampler|empty_cache|lr_scheduler|torch\.optim|quantiz|prune\.|add_argument|"
    rb"tensorflow|criterion|Loss\("
)
"""What a file holds that means something else with its callers, or with what it calls, in view."""
_TEST_FILE = re.compile(r"(?:^|[/\\])(?:tests?[/\\]|test_[^/\\]*\.py$|[^/\\]*_test\.py$|conftest\.py$)")


def project_root(path: str, walked: str | None = None) -> str:
    """The folder that bounds a project: the nearest one with a marker, else the folder that was walked, else its own.

    A package without a marker around it is bounded by the folder that holds its topmost package.
    """
    folder = os.path.dirname(path)
    current = folder
    while True:
        if any(os.path.exists(os.path.join(current, marker)) for marker in _MARKERS):
            return current
        parent = os.path.dirname(current)
        if parent == current:
            break
        current = parent
    if walked is not None and (folder + os.sep).startswith(walked.rstrip(os.sep) + os.sep):
        return walked
    return package_parent(folder)


def package_parent(folder: str) -> str:
    """The folder that has to be on ``sys.path`` for the package in ``folder``: the first without ``__init__.py``."""
    while os.path.isfile(os.path.join(folder, "__init__.py")) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder


class ProjectTree:
    """The Python files below a root, read at most once; paths are absolute."""

    def __init__(self, root: str, given: dict[str, bytes] | None = None) -> None:
        """Take the root; ``given`` holds the content of files that are not read from the disk."""
        self.root = root
        self._given = given or {}
        self._data: dict[str, bytes | None] = {}
        self._imports: dict[str, Imports] = {}
        self._edges: dict[str, tuple[str, ...]] = {}
        self._passed_on: dict[tuple[str, str, int], tuple[str, ...]] = {}
        """What an import of a name from a package reaches; packages that re-export each other are met many times."""
        self._clusters: dict[str, tuple[str, ...]] | None = None
        self.runs: dict[object, object] = {}
        """What was worked out for a cluster, for the next of its files."""
        self._digests: dict[str, str] = {}
        self._folders: dict[str, frozenset[str]] = {}

    def data(self, path: str) -> bytes | None:
        """The bytes of a file, None where it cannot be read."""
        if path not in self._data:
            try:
                if path in self._given:
                    self._data[path] = self._given[path]
                else:  # a pipe would be waited for
                    self._data[path] = read_bytes(path) if os.path.isfile(path) else None
            except OSError:
                self._data[path] = None
        return self._data[path]

    def digest(self, path: str) -> str:
        """A digest of the content of a file; empty where it cannot be read."""
        if path not in self._digests:
            data = self.data(path)
            self._digests[path] = "" if data is None else hashlib.sha256(data).hexdigest()
        return self._digests[path]

    def is_member(self, path: str) -> bool:
        """Whether a file holds code that trains, evaluates, loads or saves, or is an option or a part of it."""
        data = self.data(path)
        return data is not None and _MEMBER.search(data) is not None

    def imports(self, path: str) -> Imports:
        """The imports that a file states."""
        if path not in self._imports:
            data = self.data(path) if path.endswith(".py") else None
            self._imports[path] = read_imports(data) if data else Imports()
        return self._imports[path]

    def edges(self, path: str) -> tuple[str, ...]:
        """The files of the project that a file imports, in order; through packages that only pass names on."""
        if path not in self._edges:
            self._edges[path] = ()
            found = (target for name in self.imports(path).names for target in self._targets(name, path, 0))
            self._edges[path] = tuple(dict.fromkeys(target for target in found if target != path))
        return self._edges[path]

    def _targets(self, name: str, importer: str, depth: int) -> tuple[str, ...]:
        module = self.find(name.removesuffix(".*"), importer)
        if module is None or not module[0].endswith(".py"):
            return ()
        path, rest = module
        if os.path.basename(path) != "__init__.py" or depth > _MAX_REEXPORTS:
            return (path,)
        key = (path, rest.partition(".")[0], depth)
        if key not in self._passed_on:
            self._passed_on[key] = self._through_package(path, key[1], depth)
        return self._passed_on[key]

    def _through_package(self, path: str, first: str, depth: int) -> tuple[str, ...]:
        """A package, and where the name comes from that is imported from it; all that it imports for no name."""
        passed = self.imports(path).names
        named = [entry for entry in passed if first and entry.rpartition(".")[2] == first]
        starred = [entry for entry in passed if entry.endswith(".*")]
        onward = (named or starred) if first else passed
        found = (target for entry in onward for target in self._targets(entry, path, depth + 1))
        return tuple(dict.fromkeys((path, *found)))

    def cluster(self, path: str) -> tuple[str, ...]:
        """The files that are checked together with a file, itself included: the training code that imports connect.

        Importers come before what they import. A file without training code, a test, and a file of a project with too
        much training code stand alone.
        """
        if self._clusters is None:
            self._clusters = self._connected()
        return self._clusters.get(path, (path,))

    def reachable(self, path: str) -> frozenset[str]:
        """The files that a file imports, directly or through others."""
        found: set[str] = set()
        queue = [path]
        while queue:
            for target in self.edges(queue.pop()):
                if target not in found:
                    found.add(target)
                    queue.append(target)
        return frozenset(found)

    def _connected(self) -> dict[str, tuple[str, ...]]:
        files = [file for file in self._files() if not self._is_test(file)]
        leader = {file: file for file in files}

        def find(file: str) -> str:
            while leader[file] != file:
                leader[file] = leader[leader[file]]
                file = leader[file]
            return file

        for file in files:
            for target in self.edges(file):
                if target in leader:
                    leader[find(target)] = find(file)
        groups: dict[str, list[str]] = {}
        for file in files:
            if self.is_member(file):
                groups.setdefault(find(file), []).append(file)
        found: dict[str, tuple[str, ...]] = {}
        for group in groups.values():
            size = sum(len(self.data(file) or b"") for file in group)
            if 1 < len(group) <= MAX_MEMBERS and size <= MAX_MEMBER_BYTES:
                ordered = tuple(self._importers_first(group))
                found.update((file, ordered) for file in group)
        return found

    def _importers_first(self, group: list[str]) -> list[str]:
        """Depth-first from the files that no other imports; an import cycle is cut where it is entered."""
        imported = {target for file in group for target in self.edges(file)}
        state: dict[str, bool] = {}
        finished: list[str] = []
        for start in sorted(group, key=lambda file: (file in imported, file)):
            stack = [start]
            while stack:
                file = stack[-1]
                if file in state:
                    stack.pop()
                    if not state[file]:
                        state[file] = True
                        finished.append(file)
                    continue
                state[file] = False
                stack.extend(target for target in self.edges(file) if target not in state)
        wanted = set(group)
        return [file for file in reversed(finished) if file in wanted]

    def _is_test(self, path: str) -> bool:
        return _TEST_FILE.search(os.path.relpath(path, self.root)) is not None

    def find(self, name: str, importer: str) -> tuple[str, str] | None:
        """The module behind a dotted name and the rest of the name: a file, or a folder without ``__init__.py``."""
        own = os.path.dirname(importer)
        if name.startswith("."):
            plain = name.lstrip(".")
            folder = own
            for _ in range(len(name) - len(plain) - 1):
                folder = os.path.dirname(folder)
            if not plain:
                return self._module(folder)
            return self._below(folder, plain) or self._package_name(folder, plain)
        top = name.partition(".")[0]
        if top in KNOWN:
            is_script = top in _SHADOWED and not self._has(os.path.join(own, "__init__.py"))
            return self._below(own, name) if is_script else None
        for folder in self._search_path(importer):
            found = self._below(folder, name)
            if found is not None:
                return found
        return None

    def _package_name(self, folder: str, name: str) -> tuple[str, str] | None:
        """``from . import name`` of a name that the package itself defines."""
        package = os.path.join(folder, "__init__.py")
        return (package, name) if self._has(package) else None

    def _below(self, folder: str, name: str) -> tuple[str, str] | None:
        best = None
        parts = name.split(".")
        for index, part in enumerate(parts):
            folder = os.path.join(folder, part)
            rest = ".".join(parts[index + 1 :])
            package = os.path.join(folder, "__init__.py")
            if self._has(package):
                best = (package, rest)
            elif self._has(f"{folder}.py"):
                return f"{folder}.py", rest
            elif os.path.basename(folder) in self._names(os.path.dirname(folder)) and os.path.isdir(folder):
                best = (folder, rest)
            else:
                return best
        return best

    def child(self, folder: str, name: str) -> str | None:
        """The module of a name directly below a folder."""
        found = self._below(folder, name)
        return found[0] if found is not None else None

    def _module(self, folder: str) -> tuple[str, str] | None:
        package = os.path.join(folder, "__init__.py")
        return (package, "") if self._has(package) else (folder, "")

    def _search_path(self, importer: str) -> tuple[str, ...]:
        own = os.path.dirname(importer)
        found = [own]
        for text in self.imports(importer).folders:
            found += [os.path.normpath(os.path.join(base, text)) for base in (own, self.root)]
        current = own
        while current != self.root and current.startswith(self.root) and os.path.dirname(current) != current:
            current = os.path.dirname(current)
            found.append(current)
        found += [os.path.join(self.root, name) for name in _SOURCE_FOLDERS]
        return tuple(dict.fromkeys(found))

    def _has(self, path: str) -> bool:
        return path in self._given or os.path.basename(path) in self._names(os.path.dirname(path))

    def _names(self, folder: str) -> frozenset[str]:
        if folder not in self._folders:
            try:
                self._folders[folder] = frozenset(os.listdir(folder))
            except OSError:
                self._folders[folder] = frozenset()
        return self._folders[folder]

    def _files(self) -> list[str]:
        """The Python files below the root, those of its own folder alone where there are too many."""
        found: list[str] = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(
                name
                for name in folders
                if name not in DEFAULT_EXCLUDE
                and not name.startswith(".")
                and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
            )
            found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".py")]
            if len(found) > MAX_FILES:
                return [path for path in found if os.path.dirname(path) == self.root]
        return found


class Projects:
    """The project trees of a run, one a root."""

    def __init__(self, given: dict[str, bytes] | None = None) -> None:
        """Take the content of the files that are not read from the disk."""
        self.given = given or {}
        """By absolute path."""
        self._trees: dict[str, ProjectTree] = {}
        self._roots: dict[tuple[str, str | None], str] = {}

    def tree(self, path: str, walked: str | None = None) -> ProjectTree:
        """The tree of the project that a file belongs to."""
        key = (os.path.dirname(path), walked)
        if key not in self._roots:
            self._roots[key] = project_root(path, walked)
        root = self._roots[key]
        if root not in self._trees:
            self._trees[root] = ProjectTree(root, self.given)
        return self._trees[root]


def link_key(tree: ProjectTree, path: str) -> str:
    """Which files the check of a file looks at beside itself; what they hold is another matter."""
    names = [os.path.relpath(name, tree.root) for name in tree.cluster(path)]
    return hashlib.sha256("\n".join(names).encode()).hexdigest()

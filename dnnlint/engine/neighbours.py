"""What lies around a deployment file: lock files beside it, and the files that it names."""

from __future__ import annotations

import os
import re

from dnnlint.deploy import kinds

MAX_BYTES = 1_000_000
MAX_FILES = 20
_NAMED = re.compile(rb"[\w./-]*\w\.(?:py|txt|in)\b")


def find_neighbours(path: str, data: bytes) -> dict[str, bytes]:
    """Files by their path relative to the folder; of a lock file the name is all that matters."""
    found: dict[str, bytes] = {}
    kind = kinds.kind_of(path, data)
    if kind is None or kind == kinds.OTHER or not kinds.concerns_training(data):
        return found
    folder = os.path.dirname(path)
    try:
        names = os.listdir(folder)
    except OSError:
        return found
    found.update((name, b"") for name in sorted(names) if kinds.is_lock_file(name))
    wanted = {match.group().decode("ascii", "ignore") for match in _NAMED.finditer(data)}
    if kind == kinds.REQUIREMENTS and path.endswith(".in"):
        wanted.add(os.path.basename(path)[: -len(".in")] + ".txt")
    if kind == kinds.KUBERNETES and b"HorizontalPodAutoscaler" in data:
        wanted.update(name for name in names if kinds.may_be_manifest(name) and name != os.path.basename(path))
    if kind == kinds.KUBERNETES:
        wanted.update(f"{above}kustomization.{suffix}" for above in ("", "../") for suffix in ("yaml", "yml"))
    if kind == kinds.COMPOSE:
        wanted.add("Dockerfile")
    for name in sorted(wanted)[: MAX_FILES * 5]:
        content = _read(os.path.join(folder, name.lstrip("/")), folder)
        if content is not None and len(found) < MAX_FILES:
            found[os.path.normpath(name.lstrip("/"))] = content
    return found


def _read(path: str, folder: str) -> bytes | None:
    """A file of the project; absolute paths and paths of images are tried below the folder, never outside of it."""
    if not os.path.isfile(path) or os.path.relpath(path, folder).startswith(os.path.join("..", "..")):
        return None
    try:
        if os.path.getsize(path) > MAX_BYTES:
            return None
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None

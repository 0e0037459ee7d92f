"""The imports that a file states, read from its text without parsing it."""

from __future__ import annotations

import re
from typing import NamedTuple

_STATEMENT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\r\n;]+)|import[ \t]+([^\r\n;]+))", re.MULTILINE
)
_COMMENT = re.compile(rb"#[^\r\n]*")
_PATH_EDIT = re.compile(rb"sys\.path\.(?:append|insert|extend)\(([^\r\n]*)")
_TEXT = re.compile(rb"[\"']([^\"'\r\n]+)[\"']")


class Imports(NamedTuple):
    """What a file imports: dotted names, relative ones with their leading dots, and folders it adds to ``sys.path``."""

    names: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


def read_imports(data: bytes) -> Imports:
    """The imports of a file; ``from a import b`` gives ``a.b``, which may be a module or a name in one."""
    found: dict[str, None] = {}
    for origin, names, modules in _STATEMENT.findall(data):
        if origin:
            prefix = origin if origin.endswith(b".") else origin + b"."
            found.update((text, None) for text in (_decoded(prefix + name) for name in _listed(names)) if text)
        else:
            found.update((text, None) for text in (_decoded(name) for name in _listed(modules)) if text)
    folders = [_decoded(text) for edit in _PATH_EDIT.findall(data) for text in _TEXT.findall(edit)]
    return Imports(tuple(found), tuple(dict.fromkeys(folder for folder in folders if folder)))


def _listed(names: bytes) -> list[bytes]:
    plain = _COMMENT.sub(b"", names).strip(b"() \t\r\n\\")
    words = [part.split() for part in plain.replace(b"\\", b" ").split(b",")]
    return [part[0] for part in words if part]


def _decoded(name: bytes) -> str:
    return name.decode("utf-8", "replace")

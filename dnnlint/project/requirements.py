"""Which PyTorch a project asks for, as far as its requirement files state an upper limit."""

from __future__ import annotations

import re
from typing import NamedTuple

FILES = ("requirements.txt", "environment.yml", "environment.yaml", "pyproject.toml")
"""The files that are looked at, in each folder."""

_COMMENT = re.compile(r"(?:^|\s)#.*")
_STATED = re.compile(r"(?<![\w.-])(?:py)?torch\s*((?:(?:[=<>~]=?=?|!=)\s*\d[\w.*+]*\s*,?\s*)+)")
_ANY = re.compile(r"""(?<![\w./-])torch(?=\s*(?:["',;]|$))""")
_CLAUSE = re.compile(r"([=<>~!]+)\s*(\d+)(?:\.(\d+))?(\.\d+)?")
_Version = tuple[int, int]


class Requirement(NamedTuple):
    """A requirement of PyTorch as it is written, with the newest minor release it allows; None for no limit."""

    text: str
    newest: _Version | None


def torch_requirements(text: str) -> list[Requirement]:
    """The requirements of PyTorch in the text of a requirement file; a bare ``torch`` allows every release."""
    lines = [_COMMENT.sub("", line) for line in text.splitlines()]
    found = [match for line in lines for match in _STATED.finditer(line)]
    free = [Requirement("torch", None) for line in lines if _ANY.search(line)]
    return [*free, *(Requirement(_written(match), _newest(match.group(1))) for match in found)]


def _written(match: re.Match[str]) -> str:
    return "".join(match.group().split()).rstrip(",")


def _newest(specifier: str) -> _Version | None:
    limits = [limit for clause in _CLAUSE.finditer(specifier) if (limit := _limit(clause)) is not None]
    return min(limits, default=None)


def _limit(clause: re.Match[str]) -> _Version | None:
    """The newest minor release that one clause allows: ``==2.2.1`` and ``~=2.2.0`` and ``<2.3`` all mean 2.2."""
    operator, version = clause.group(1), (int(clause.group(2)), int(clause.group(3) or 0))
    if operator == "<":
        return version if clause.group(4) not in (None, ".0") else (version[0], version[1] - 1)
    exact = operator in ("=", "==", "===", "<=") and clause.group(3) is not None
    return version if exact or (operator == "~=" and clause.group(4)) else None

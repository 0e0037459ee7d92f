"""Decode Python source as the interpreter does: byte order mark, coding cookie, UTF-8."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from typing import NamedTuple

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_UTF_8 = re.compile(r"utf[-_]8(?:[-_]|$)")
"""How the interpreter lets a file with a byte order mark name its encoding."""
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_NEWLINE = re.compile(r"\r\n|\r|\n")


class Source(NamedTuple):
    """A decoded file; offsets count characters of ``text``, which excludes the byte order mark."""

    text: str
    encoding: str = "utf-8"
    has_bom: bool = False

    def encode(self, text: str) -> bytes:
        """The bytes of a changed text in the encoding of the file."""
        return (codecs.BOM_UTF8 if self.has_bom else b"") + text.encode(self.encoding)


class Comment(NamedTuple):
    """A comment, from its ``#`` on."""

    offset: int
    text: str


class SourceProblem(Exception):
    """Why a file is not Python source, with the place."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        """Keep the reason and the place, both counted from 1."""
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def read_bytes(path: str) -> bytes:
    """The bytes of a file.

    Raises:
        OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        return file.read()


def decode(data: bytes) -> Source:
    """Decode the bytes of a file.

    Raises:
        SourceProblem: a NUL byte, an encoding that is unknown or contradicts the byte order mark, or bytes that it does
            not allow.
    """
    nul = data.find(b"\0")
    if nul >= 0:
        raise SourceProblem("the file holds a NUL byte, so it is not Python source", *_place(data, nul))
    has_bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if has_bom else data
    encoding = _encoding(body)
    if has_bom and not _UTF_8.match(encoding):
        raise SourceProblem(
            f"the file declares the encoding `{encoding}` but starts with the byte order mark of `utf-8`"
        )
    try:
        return Source(body.decode(encoding), encoding, has_bom)
    except UnicodeDecodeError as error:
        message = f"the bytes are not valid `{encoding}`: {error.reason}"
        raise SourceProblem(message, *_place(body, error.start)) from error
    except (LookupError, ValueError) as error:
        raise SourceProblem(f"the encoding `{encoding}` is unknown") from error


def _encoding(body: bytes) -> str:
    for line in body[:4096].splitlines()[:2]:
        if match := _COOKIE.match(line):
            return match.group(1).decode("ascii", "replace").lower()
        if not _BLANK.match(line):
            break
    return "utf-8"


def _place(data: bytes, offset: int) -> tuple[int, int]:
    before = data[:offset]
    return before.count(b"\n") + 1, offset - (before.rfind(b"\n") + 1) + 1


class LineTable:
    """Lines and columns of character offsets, both counted from 1."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        """Find where the lines of a text start."""
        self._starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, offset: int) -> int:
        """The line of an offset."""
        return bisect_right(self._starts, offset)


def split_lines(text: str) -> list[str]:
    """Split at the line breaks that Python knows, unlike ``str.splitlines``, which also splits at form feeds."""
    return _NEWLINE.split(text)

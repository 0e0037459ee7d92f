"""Open a text log whatever its encoding; a truncated last line or a stray byte stops nothing."""

from __future__ import annotations

import contextlib
import gzip
import io
import itertools
from collections.abc import Iterator
from typing import IO

from dnnlint.monitor.log import LogError

_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"\xef\xbb\xbf": "utf-8-sig"}
_PEEKED_LINES = 200
_PEEKED_CHARACTERS = 100_000


class TextLog:
    """Lines of a log, of which the first ones can be looked at beforehand."""

    def __init__(self, file: IO[str]) -> None:
        """Read from an open file."""
        self._file = file
        self._peeked: list[str] = []

    def peek_lines(self) -> list[str]:
        """The first lines that are not empty; they are read again later."""
        size = 0
        while len(self._peeked) < _PEEKED_LINES and size < _PEEKED_CHARACTERS:
            line = self._file.readline(_PEEKED_CHARACTERS)
            if not line:
                break
            size += len(line)
            self._peeked.append(line)
        return [line.lstrip("\ufeff").rstrip("\r\n") for line in self._peeked if line.strip()]

    def __iter__(self) -> Iterator[str]:
        """All lines from the first one."""
        return itertools.chain(self._peeked, self._file)

    def read(self) -> str:
        """The whole text."""
        return "".join(self._peeked) + self._file.read()


@contextlib.contextmanager
def open_text(path: str) -> Iterator[TextLog]:
    """Open a log for reading; PowerShell writes UTF-16, spreadsheets UTF-8 with a mark, log rotation gzip.

    Raises:
        LogError: the file cannot be read.
    """
    try:
        with open(path, "rb") as raw:
            is_packed = raw.peek(2)[:2] == b"\x1f\x8b"
            stream = io.BufferedReader(gzip.GzipFile(fileobj=raw) if is_packed else raw)
            start = stream.peek(4096)
            encoding = next((name for mark, name in _MARKS.items() if start.startswith(mark)), "")
            encoding = encoding or _without_mark(start)
            yield TextLog(io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline=None))
    except (OSError, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise LogError(f"{path}: cannot be read: {reason}") from error


def _without_mark(start: bytes) -> str:
    """UTF-8, or the encoding of Western spreadsheets; a comma after each NUL is UTF-16 without its mark."""
    if start[1:2] == b"\0":
        return "utf-16-le"
    try:
        start.decode()
    except UnicodeDecodeError as error:
        if error.start < len(start) - 4:
            return "gb18030" if _is_decodable(start, "gb18030") else "cp1252"
    return "utf-8"


def _is_decodable(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        return error.start >= len(data) - 4
    return True

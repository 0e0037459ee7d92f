"""Decoding source as the interpreter does."""

from __future__ import annotations

import codecs

import pytest

from dnnlint.engine.source import LineTable, Source, SourceProblem, decode, split_lines

DECODED = {
    "empty": (b"", Source("")),
    "utf-8": ("x = 'é'\n".encode(), Source("x = 'é'\n")),
    "byte order mark": (codecs.BOM_UTF8 + b"x = 1\n", Source("x = 1\n", "utf-8", True)),
    "latin-1 cookie": (
        b"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
        Source("# -*- coding: latin-1 -*-\nx = 'é'\n", "latin-1"),
    ),
    "cookie on the second line": (
        b"#!python\n# coding=cp1252\n\x80\n",
        Source("#!python\n# coding=cp1252\n€\n", "cp1252"),
    ),
    "cookie behind code is none": (b"x = 1\n# coding: latin-1\n", Source("x = 1\n# coding: latin-1\n")),
    "line breaks are kept": (b"a\r\nb\rc\n", Source("a\r\nb\rc\n")),
}


@pytest.mark.parametrize(("data", "source"), DECODED.values(), ids=DECODED)
def test_decode(data: bytes, source: Source) -> None:
    """Text, encoding and byte order mark are found, and lead back to the same bytes."""
    assert decode(data) == source
    assert source.encode(source.text) == data


PROBLEMS = {
    "NUL": (b"x = 1\ny = \0\n", (2, 5), "NUL byte"),
    "not UTF-8": (b"x = 1\ny = '\xe9'\n", (2, 6), "not valid `utf-8`"),
    "not UTF-8 behind a byte order mark": (codecs.BOM_UTF8 + b"\xff", (1, 1), "not valid `utf-8`"),
    "unknown encoding": (b"# coding: klingon\n", (1, 1), "encoding `klingon` is unknown"),
    "encoding of no text": (b"# coding: hex\n00\n", (1, 1), "encoding `hex` is unknown"),
    "UTF-16": ("x = 1\n".encode("utf-16"), (1, 4), "NUL byte"),
}


@pytest.mark.parametrize(("data", "place", "message"), PROBLEMS.values(), ids=PROBLEMS)
def test_problem_has_its_place(data: bytes, place: tuple[int, int], message: str) -> None:
    """Bytes that are no source are named at their line and column."""
    with pytest.raises(SourceProblem) as raised:
        decode(data)
    assert (raised.value.line, raised.value.column) == place
    assert message in raised.value.message


def test_line_table_counts_every_kind_of_line_break() -> None:
    """Lines and columns count from 1; a form feed ends no line."""
    text = "a\r\nb\rc\n\fd"
    table = LineTable(text)
    assert [table.place(text.index(char)) for char in "abcd"] == [(1, 1), (2, 1), (3, 1), (4, 2)]
    assert [table.line(offset) for offset in (0, 3, 5)] == [1, 2, 3]
    assert split_lines(text) == ["a", "b", "c", "\fd"]

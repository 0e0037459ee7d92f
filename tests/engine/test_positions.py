"""Offsets of nodes, compared with the positions that libcst computes."""

from __future__ import annotations

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from dnnlint.engine.positions import header_span, lay_out
from dnnlint.engine.source import LineTable

SOURCES = {
    "empty": "",
    "no line break at the end": "x = 1",
    "blank lines": "\n\nx = 1\n\n\n",
    "nested": "class A:\n    def f(self, *a, k=1):\n        if a:\n            return [b for b in a]\n\n    x = 1\n",
    "decorated": "@a\n@b(1)\n# comment\nasync def f():\n    await g()\n",
    "tabs": "if x:\n\tfor y in z:\n\t\tpass\n",
    "lines joined": "x = (1 +\n     2)\ny = 1 + \\\n    2\n",
    "carriage returns": "if x:\r\n    y = f(\r\n        1)\r\n",
    "one-line bodies": "if x: a(); b()\nelif y: c()\nelse: d()\n",
    "try": "try:\n    a()\nexcept (B, C) as e:\n    d()\nelse:\n    e()\nfinally:\n    f()\n",
    "with": "with a() as b, (c) as d:\n    pass\n",
    "match": "match x:\n    case [1, *_] if y:\n        pass\n    case _:\n        pass\n",
    "strings": 'x = f\'{a!r:>{b}} # {c}\' \'d\' """\ne\n"""\n',
    "comments": "# first\nx = 1  # second\n    # third\n# last",
    "lambda": "f = lambda x, /, y=1, *, z: (x, y, z)\n",
    "unicode": "é = 'ß'\nfor ü in é: pass\n",
}


@pytest.mark.parametrize("text", SOURCES.values(), ids=SOURCES)
def test_spans_are_those_of_libcst(text: str) -> None:
    """For every node of every kind, start and end."""
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    expected = wrapper.resolve(PositionProvider)
    layout = lay_out(wrapper.module, expected)
    table = LineTable(text)
    assert layout.length == len(text)
    last_line = text.count("\n") + 1
    for node, place in expected.items():
        if place.end.line > last_line:
            continue  # libcst counts a line break at the end of the file that is not there
        start, end = (table.place(offset) for offset in layout.spans[node])
        assert start == (place.start.line, place.start.column + 1), node
        assert end == (place.end.line, place.end.column + 1), node


@pytest.mark.parametrize("text", SOURCES.values(), ids=SOURCES)
def test_comments_are_found_where_they_stand(text: str) -> None:
    """And only comments, not what looks like one in a string."""
    layout = lay_out(cst.parse_module(text))
    assert all(text.startswith(comment.text, comment.offset) for comment in layout.comments)
    assert len(layout.comments) == (text.count("#") if "f'" not in text else 0)


HEADERS = {
    "while x:\n    y()\n": "while x:",
    "while x: y()\n": "while x:",
    "def f(\n    a,\n) -> int:\n    pass\n": "def f(\n    a,\n) -> int:",
    "@a\nclass B(C):\n    pass\n": "class B(C):",
    "if x:\n    pass\nelse:\n    pass\n": "if x:",
    "with a, b:\n    pass\n": "with a, b:",
    "x = f(lambda: 1)\n": "x = f(lambda: 1)",
}


@pytest.mark.parametrize(("text", "header"), HEADERS.items(), ids=HEADERS)
def test_compound_statement_is_marked_at_its_header(text: str, header: str) -> None:
    """A finding about a loop is no reason to underline its body."""
    module = cst.parse_module(text)
    start, end = header_span(module.body[0], lay_out(module, module.body), text)
    assert text[start:end] == header


def test_module_is_marked_at_its_first_line() -> None:
    """What is missing from a whole file is reported at its top."""
    text = "import torch\r\nx = 1\r\n"
    module = cst.parse_module(text)
    assert header_span(module, lay_out(module, [module]), text) == (0, len("import torch"))


@pytest.mark.parametrize("text", ["x = 1\ry = 2\r", "x = 1\n    ", "x = 1\n\t"], ids=repr)
def test_text_that_libcst_does_not_reproduce_is_noticed(text: str) -> None:
    """The length of what the tree stands for tells; such a file is never fixed."""
    module = cst.parse_module(text)
    layout = lay_out(module)
    assert layout.length == len(module.code)
    assert (layout.length == len(text)) == (module.code == text)

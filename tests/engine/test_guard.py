"""Expressions that libcst cannot parse in reasonable time."""

from __future__ import annotations

import time

import pytest

from dnnlint.engine.guard import MAX_CHAIN, MAX_DEPTH, find_excess

N = MAX_CHAIN + 1
TOO_LONG = {
    "sum": ("x = " + " + ".join("a" * 3000), 1),
    "sum over lines": ("y = 1\nx = (\n" + " +\n".join("a" * 3000) + ")\n", 2),
    "calls as terms": ("y = 1\n\nx = " + " + ".join(["f(a, b=1)"] * 3000), 3),
    "subscripts": ("x = a" + "[0]" * N, 1),
    "calls of calls": ("x = a" + "()" * N, 1),
    "attributes": ("x = a" + ".b" * N, 1),
    "comparisons": ("x = " + " < ".join("a" * (N + 1)), 1),
    "negations": ("x = " + "not " * N + "a", 1),
    "conditional expressions": ("x = " + "a if b else " * N + "c", 1),
    "in an argument": ("y = 2\nf(1, k=" + "+".join("a" * (N + 1)) + ")", 2),
    "brackets": ("y = 1\nx = " + "[" * 200 + "]" * 200, 2),
    "brackets never closed": ("x = " + "(" * 3000, 1),
    "brackets over lines": ("x = " + "(\n" * 200 + ")\n" * 200, 1),
}
SHORT_ENOUGH = {
    "empty": "",
    "long list": "x = [" + "-1, " * 5000 + "]\n",
    "long list over lines": "x = [\n" + "a.b + c,\n" * 2000 + "]\n",
    "many statements": "self.a.b(c + d)\n" * 2000,
    "many elif": "if a:\n    pass\n" + "elif b + c:\n    pass\n" * 1500,
    "many keyword arguments": "f(" + ", ".join(f"k{i}=a.b" for i in range(2000)) + ")\n",
    "operators in a string": "x = '" + "+ - " * 3000 + "'\n",
    "operators in a docstring": "def f():\n    '''" + "(a + b\n" * 3000 + "'''\n",
    "comment": "# " + "-" * 5000 + "\n",
    "comparison with equals": "assert a == b\n" * 3000,
    "the limit itself": "x = " + "+".join("a" * (MAX_CHAIN + 1)),
    "the deepest": "x = " + "(" * (MAX_DEPTH - 1) + ")" * (MAX_DEPTH - 1),
    "closers without openers": ")" * 3000,
}


@pytest.mark.parametrize(("text", "line"), TOO_LONG.values(), ids=TOO_LONG)
def test_excess_is_found_at_its_statement(text: str, line: int) -> None:
    """A chain or a nest that is too long is found at the line on which its statement starts, and at once."""
    started = time.process_time()
    excess = find_excess(text)
    assert excess is not None
    assert text.count("\n", 0, excess.offset) + 1 == line
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize("text", SHORT_ENOUGH.values(), ids=SHORT_ENOUGH)
def test_ordinary_code_is_let_through(text: str) -> None:
    """What is long without being a chain is parsed."""
    assert find_excess(text) is None

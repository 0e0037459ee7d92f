"""Find expressions that libcst cannot parse in reasonable time, or at all, by counting tokens.

Measured with libcst 1.9: a chain of n binary operators, calls or subscripts takes time in n**2 (3,000 operators 2.5 s,
3,000 subscripts 12 s), and 3,000 nested brackets overflow the stack of the native parser, which ends the process.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_CHAIN = 1_000
MAX_DEPTH = 150
"""CPython refuses more than 200 nested brackets."""

_WORDS = r"and|or|not|else|lambda|await"
_TOKEN = re.compile(
    rf"""
      (?P<string>(?:\b[rRbBfFuUtT]{{1,2}})?(?:'{{3}}(?:[^\\']|\\.|'(?!''))*'{{3}}|"{{3}}(?:[^\\"]|\\.|"(?!""))*"{{3}}
            |'(?:[^\\'\n]|\\.)*'|"(?:[^\\"\n]|\\.)*"))
    | (?P<comment>\#[^\n]*)
    | (?P<open>[(\[{{])
    | (?P<close>[)\]}}])
    | (?P<operator>(?:\*\*|//|<<|>>|[<>=!]=|->|:=)|[-+*/%@&|^<>~.]|\b(?:{_WORDS})\b)
    | (?P<reset>[,;=:\n])
    | \\\n
    """,
    re.VERBOSE | re.DOTALL,
)
# A skeleton of a file keeps "o" for an operator, brackets, and what ends a chain.
_OPERATORS, _OPENERS, _CLOSERS, _RESETS = b"+-*/%@&|^<>~.", b"([{", b")]}", b",;=:"
_SKELETON = bytes.maketrans(
    _OPERATORS + _OPENERS + _CLOSERS + _RESETS,
    b"o" * len(_OPERATORS) + b"(" * len(_OPENERS) + b")" * len(_CLOSERS) + b"," * len(_RESETS),
)
_DROPPED = bytes(set(range(256)) - set(_OPERATORS + _OPENERS + _CLOSERS + _RESETS + b"\n"))
_WORD_OPERATOR = re.compile(rb"\b(?:%s)\b" % _WORDS.encode())
_INNERMOST = re.compile(rb"\([^()]*\)")
_LONG_CHAIN = re.compile(rb"o{%d}|\([^()]*(?:o\n*){%d}" % (MAX_CHAIN, MAX_CHAIN))


class Excess(NamedTuple):
    """Where a file exceeds what can be parsed."""

    offset: int
    message: str


def find_excess(text: str) -> Excess | None:
    """Return the first expression that is too long a chain or nested too deeply, or None."""
    return _locate(text) if _suspect(text.encode("utf-8", "replace")) else None


def _suspect(data: bytes) -> bool:
    """An upper bound that costs 1 % of a parse: strings and comments count as if they were code."""
    skeleton = _WORD_OPERATOR.sub(b"+", data).translate(_SKELETON, _DROPPED)
    for _ in range(MAX_DEPTH):
        if _LONG_CHAIN.search(skeleton):
            return True
        smaller = _INNERMOST.sub(b"o", skeleton)
        if smaller == skeleton:
            return skeleton.count(b"(") > MAX_DEPTH
        skeleton = smaller
    return True


def _locate(text: str) -> Excess | None:
    chains = [0]
    start = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind in ("operator", "open"):  # a call or a subscript is a link of a chain as well
            chains[-1] += 1
            if chains[-1] > MAX_CHAIN:
                return Excess(start, f"an expression chains more than {MAX_CHAIN} operators")
        if kind == "open":
            chains.append(0)
            if len(chains) > MAX_DEPTH:
                return Excess(start, f"more than {MAX_DEPTH} brackets are nested")
        elif kind == "close":
            if len(chains) > 1:
                chains.pop()
        elif kind == "reset" and (len(chains) == 1 or match.group() != "\n"):
            chains[-1] = 0
            if match.group() == "\n":
                start = match.end()
    return None

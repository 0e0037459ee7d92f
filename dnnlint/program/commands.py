"""The command lines that a program runs through ``subprocess`` and ``os``, as words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from dnnlint.facts import Call
from dnnlint.knowledge.shell import UNKNOWN, simple_commands
from dnnlint.program.values import Const, External, Items, Operation, Ref

if TYPE_CHECKING:
    from dnnlint.program import Program

_RUNNERS = (
    *(f"subprocess.{n}" for n in "run call check_call check_output Popen getoutput getstatusoutput".split()),
    "os.system",
    "os.popen",
    "asyncio.create_subprocess_shell",
)
_MAX_DEPTH = 6


class Command(NamedTuple):
    """A simple command that a call runs; ``node`` is the argument that spells it. Unknown parts hold a ``$``."""

    call: Call
    node: cst.BaseExpression
    words: list[str]


def commands(program: Program) -> Iterator[Command]:
    """The simple commands of all command lines whose text shows."""
    for call in program.calls_to(*_RUNNERS):
        given = next((program.argument(call, name, 0) for name in ("args", "command", "cmd") if call.node.args), None)
        if given is None:
            continue
        for words in _command_lines(program, given):
            yield Command(call, given.node, words)


def _command_lines(program: Program, given: Ref) -> Iterator[list[str]]:
    split = _before_split(given.node)
    if split is not None:
        given = Ref(split, given.place)
    for value in program.resolver.resolve(given):
        if isinstance(value, Items):
            yield [_text(program, ref, 0) for ref in value.refs]
        elif isinstance(value, Operation) and isinstance(value.ref.node, (cst.List, cst.Tuple)):
            yield [_element(program, value.ref, element) for element in value.ref.node.elements]
        elif isinstance(value, Const) and isinstance(value.value, str):
            yield from simple_commands(value.value)
        elif isinstance(value, Operation):
            split = _before_split(value.ref.node)
            text = _text(program, Ref(split, value.ref.place) if split is not None else value.ref, 0)
            yield from simple_commands(text)


def _before_split(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The text of ``"...".split()`` and of ``shlex.split("...")``."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or node.func.attr.value != "split":
        return None
    if isinstance(node.func.value, cst.Name) and node.func.value.value == "shlex" and node.args:
        return node.args[0].value
    return node.func.value if not node.args else None


def _element(program: Program, ref: Ref, element: cst.BaseElement) -> str:
    starred = isinstance(element, cst.StarredElement)
    return UNKNOWN if starred else _text(program, Ref(element.value, ref.place), 0)


def _text(program: Program, ref: Ref, depth: int) -> str:
    """The text of an expression, with a ``$`` for each part that is not known."""
    node = ref.node
    if depth > _MAX_DEPTH:
        return UNKNOWN
    if isinstance(node, cst.FormattedString):
        return "".join(part.value if isinstance(part, cst.FormattedStringText) else UNKNOWN for part in node.parts)
    if isinstance(node, cst.ConcatenatedString):
        return "".join(_text(program, Ref(side, ref.place), depth + 1) for side in (node.left, node.right))
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        return "".join(_text(program, Ref(side, ref.place), depth + 1) for side in (node.left, node.right))
    values = program.resolver.resolve(ref)
    if len(values) == 1 and isinstance(values[0], Const):
        return str(values[0].value)
    if len(values) == 1 and isinstance(values[0], External) and values[0].qualified == "sys.executable":
        return "python"
    if len(values) == 1 and isinstance(values[0], Operation) and values[0].ref.node is not node:
        return _text(program, values[0].ref, depth + 1)
    return UNKNOWN

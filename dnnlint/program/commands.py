"""The command lines that a program runs through ``subprocess`` and ``os``, as words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from dnnlint.facts import Call
from dnnlint.knowledge.shell import UNKNOWN, simple_commands
from dnnlint.program.calls import returned
from dnnlint.program.values import Const, External, FunctionValue, Items, Object, Operation, Ref, Result, Value

if TYPE_CHECKING:
    from dnnlint.program import Program

_RUNNERS = (
    *(f"subprocess.{n}" for n in "run call check_call check_output Popen getoutput getstatusoutput".split()),
    "os.system",
    "os.popen",
    "asyncio.create_subprocess_shell",
)
_MAX_DEPTH = 6
_MAX_TEXTS = 8


class Command(NamedTuple):
    """A simple command that a call runs; ``node`` is the argument that spells it. Unknown parts hold a ``$``."""

    call: Call
    node: cst.BaseExpression
    words: list[str]
    parts: tuple[tuple[str, cst.BaseExpression], ...] = ()
    """The literals that the command line was put together from, with their texts."""


class _Text(NamedTuple):
    text: str
    parts: tuple[tuple[str, cst.BaseExpression], ...] = ()


_NOT_KNOWN = _Text(UNKNOWN)


def commands(program: Program) -> Iterator[Command]:
    """The simple commands of all command lines whose text shows."""
    for call in program.calls_to(*_RUNNERS):
        given = next((program.argument(call, name, 0) for name in ("args", "command", "cmd") if call.node.args), None)
        if given is None:
            continue
        for words, parts in _command_lines(program, given):
            yield Command(call, given.node, words, parts)


def _command_lines(
    program: Program, given: Ref
) -> Iterator[tuple[list[str], tuple[tuple[str, cst.BaseExpression], ...]]]:
    split = _before_split(given.node)
    if split is not None:
        given = Ref(split, given.place)
    for value in program.resolver.resolve(given):
        words = _listed(program, value)
        if words is not None:
            for chosen in islice(product(*words), _MAX_TEXTS):
                yield [word.text for word in chosen], tuple(part for word in chosen for part in word.parts)
        elif isinstance(value, (Const, Operation, Result)):
            for text in _texts_of(program, value, given.node):
                for simple in simple_commands(text.text):
                    yield simple, text.parts


def _listed(program: Program, value: Value) -> list[list[_Text]] | None:
    """The possible texts of each element of a list; None for what is no list."""
    if isinstance(value, Items):
        return [_texts(program, ref, 0) for ref in value.refs]
    if isinstance(value, Operation) and isinstance(value.ref.node, (cst.List, cst.Tuple)):
        return [_element(program, value.ref, element) for element in value.ref.node.elements]
    return None


def _before_split(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The text of ``"...".split()`` and of ``shlex.split("...")``."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or node.func.attr.value != "split":
        return None
    if isinstance(node.func.value, cst.Name) and node.func.value.value == "shlex" and node.args:
        return node.args[0].value
    return node.func.value if not node.args else None


def _element(program: Program, ref: Ref, element: cst.BaseElement) -> list[_Text]:
    starred = isinstance(element, cst.StarredElement)
    return [_NOT_KNOWN] if starred else _texts(program, Ref(element.value, ref.place), 0)


def _texts(program: Program, ref: Ref, depth: int) -> list[_Text]:
    """The possible texts of an expression, with a ``$`` for each part that is not known."""
    node = ref.node
    if depth > _MAX_DEPTH:
        return [_NOT_KNOWN]
    if isinstance(node, cst.FormattedString):
        parts = (part.value if isinstance(part, cst.FormattedStringText) else UNKNOWN for part in node.parts)
        text = "".join(parts)
        return [_Text(text, ((text, node),))]
    if isinstance(node, cst.ConcatenatedString) or (
        isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add)
    ):
        return _joined("", [_texts(program, Ref(side, ref.place), depth + 1) for side in (node.left, node.right)])
    found: list[_Text] = []
    for value in program.resolver.resolve(ref):
        found += _texts_of(program, value, node, depth)
    return found[:_MAX_TEXTS] or [_NOT_KNOWN]


def _texts_of(program: Program, value: Value, node: cst.BaseExpression, depth: int = 0) -> list[_Text]:
    """The possible texts of one value of an expression."""
    if isinstance(value, Const):
        return [_Text(str(value.value), ((str(value.value), node),))]
    if isinstance(value, External) and value.qualified == "sys.executable":
        return [_Text("python")]
    if isinstance(value, Operation):
        split = _before_split(value.ref.node)
        inner = Ref(split, value.ref.place) if split is not None else value.ref
        spelled = (cst.FormattedString, cst.ConcatenatedString, cst.BinaryOperation)
        own = inner.node is node and not isinstance(node, spelled)
        return [_NOT_KNOWN] if own else _texts(program, inner, depth + 1)
    if isinstance(value, Result):
        return _texts_of_result(program, value, depth)
    return [_NOT_KNOWN]


def _texts_of_result(program: Program, value: Result, depth: int) -> list[_Text]:
    """``" ".join([...])``, and a method that the classes of the program override."""
    if value.method == "join" and isinstance(value.node.func, cst.Attribute) and len(value.node.args) == 1:
        separators = program.resolver.resolve(Ref(value.node.func.value, value.place))
        lists = program.resolver.resolve(Ref(value.node.args[0].value, value.place))
        words = _listed(program, lists[0]) if len(lists) == 1 else None
        if words is not None and len(separators) == 1 and isinstance(separators[0], Const):
            return _joined(str(separators[0].value), words)
    found: list[_Text] = []
    for target in _overrides(program, value.callee):
        for inner in returned(program.resolver, target, value.node, value.place):
            if isinstance(inner, (Const, Operation)) and depth < _MAX_DEPTH:
                found += _texts_of(program, inner, value.node, depth + 1)
    return found or [_NOT_KNOWN]


def _joined(separator: str, words: list[list[_Text]]) -> list[_Text]:
    chosen = islice(product(*words), _MAX_TEXTS)
    return [_Text(separator.join(t.text for t in texts), tuple(p for t in texts for p in t.parts)) for texts in chosen]


def _overrides(program: Program, callee: Value) -> Iterator[FunctionValue]:
    """The methods that may run in the place of one, where only its class is known, not the object."""
    if not isinstance(callee, FunctionValue) or not isinstance(callee.receiver, Object):
        return
    if callee.receiver.node is not None or callee.function.owner is None:
        return
    for facts in program.all_facts:
        for cls in facts.classes:
            method = cls.methods.get(callee.function.name)
            if method is not None and callee.function.owner in program.resolver.lineage(cls)[0][1:]:
                receiver = Object(cls, None, callee.receiver.place)
                yield FunctionValue(method, program.resolver.module_frame(cls.scope), receiver)

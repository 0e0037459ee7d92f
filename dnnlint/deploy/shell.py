"""Shell scripts: commands with their words, the loops around them, and the directives of a batch system."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dnnlint.deploy.grammar import Parsed, walk
from dnnlint.deploy.model import Command, Directive, Loop, Script, Word
from dnnlint.deploy.tree import Malformed, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_DO = re.compile(r"\bdo\b")
_ENDS = ("break", "exit", "return", "exec")
_DIRECTIVE = re.compile(r"^#SBATCH\s+(.*)$")
_OPTION = re.compile(r"(--[\w-]+)(?:[=\s]\s*(\"[^\"]*\"|[^\s#]+))?|(-\w)\s*(\"[^\"]*\"|[^\s#]+)?")
_DEFAULT = re.compile(r"^\$\{\w+:?-([^${}]*)\}$")
_SHELLS = frozenset(("bash", "sh", "/bin/bash", "/bin/sh", "/usr/bin/bash", "dash", "zsh"))
_ASSIGNED = ("word", "number", "string", "raw_string", "concatenation")


def read_script(text: str, span: Span | None = None) -> Script:
    """The commands of a text, or of a part of it; places count in the whole text."""
    start, end = span or Span(0, len(text))
    return _Reader(Parsed(text[start:end], "bash"), start).read()


def require_loops(text: str) -> None:
    """Refuse a loop that lacks its ``do``.

    The grammar does not know every construct of a shell, so that other errors of a script say nothing about it.

    Raises:
        Malformed: there is such a loop.
    """
    parsed = Parsed(text, "bash")
    for node in walk(parsed.root) if parsed.root.has_error else ():
        keyword = next((child for child in node.children if child.type in ("while", "until")), None)
        if node.is_error and keyword is not None and not _DO.search(parsed.text_of(node)):
            raise Malformed(
                f"syntax error: the loop `{parsed.text_of(keyword)}` has no `do`", parsed.span(keyword).start
            )


def read_comments(text: str) -> list[tuple[int, str]]:
    """The comments of a script."""
    parsed = Parsed(text, "bash")
    return [(parsed.span(node).start, parsed.text_of(node)) for node in walk(parsed.root) if node.type == "comment"]


def read_directives(comments: list[tuple[int, str]]) -> list[Directive]:
    """The ``#SBATCH`` options among comments."""
    found = []
    for offset, text in comments:
        line = _DIRECTIVE.match(text)
        for match in _OPTION.finditer(line.group(1).partition(" #")[0]) if line else ():
            name, value = match.group(1) or match.group(3), match.group(2) or match.group(4) or ""
            found.append(Directive(name, value.strip('"'), Span(offset, offset + len(text.rstrip()))))
    return found


def from_words(words: tuple[Word, ...], text: str) -> Script:
    """The script of a command that is given as a list of words, such as ``["bash", "-c", "..."]``."""
    if not words:
        return Script()
    inner = _shell_argument([word.text for word in words])
    if inner is not None:
        word = words[inner]
        if text[word.span.start : word.span.end] == word.text or "\n" in word.text:
            return read_script(text, word.span)
        return _at(read_script(word.text), word.span)
    return Script((Command(words, Span(words[0].span.start, words[-1].span.end)),))


def _at(script: Script, span: Span) -> Script:
    """A script whose text does not stand in the file as it is: everything in it is at one place."""
    commands = tuple(
        Command(tuple(Word(word.text, span) for word in command.words), span, command.loops, command.variables)
        for command in script.commands
    )
    loops = tuple(Loop(loop.keyword, loop.condition, span, span, loop.body) for loop in script.loops)
    return Script(commands, loops, tuple(span for _ in script.exits))


def _shell_argument(texts: list[str]) -> int | None:
    """The index of the script in ``bash -c script``."""
    if texts and texts[0] in _SHELLS:
        for index, text in enumerate(texts[1:], 1):
            if re.fullmatch(r"-\w*c", text) and index + 1 < len(texts):
                return index + 1
    return None


class _Reader:
    """Walks one syntax tree."""

    def __init__(self, parsed: Parsed, base: int) -> None:
        self._parsed = parsed
        self._base = base
        self._values: dict[str, str | None] = {}
        self._loops: dict[int, Loop] = {}

    def read(self) -> Script:
        nodes = list(walk(self._parsed.root))
        for node in nodes:
            if node.type == "variable_assignment":
                self._assign(node)
        commands: list[Command] = []
        exits: list[Span] = []
        for node in nodes:
            if node.type in ("while_statement", "for_statement", "c_style_for_statement"):
                self._add_loop(node)
            elif node.type == "command" and (command := self._command(node)) is not None:
                commands.append(command)
                inner = _shell_argument(list(command.texts))
                if inner is not None:
                    nested = _at(read_script(command.words[inner].text), command.words[inner].span)
                    commands += nested.commands
                if command.texts[0] in _ENDS:
                    exits.append(command.span)
        loops = tuple(loop for loop in self._loops.values() if loop.keyword != "for")
        return Script(tuple(commands), loops, tuple(exits))

    def _span(self, node: Node) -> Span:
        start, end = self._parsed.span(node)
        return Span(start + self._base, end + self._base)

    def _assign(self, node: Node) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or (node.parent is not None and node.parent.type == "command"):
            return
        key = self._parsed.text_of(name)
        # A variable that is set twice, or to what only a run can tell, has no value here.
        known = self._text(value) if value is not None and value.type in _ASSIGNED else None
        self._values[key] = None if key in self._values or (known and "$" in known) else known

    def _add_loop(self, node: Node) -> None:
        if node.type != "while_statement":
            self._loops[node.id] = Loop("for", "", self._span(node), self._span(node), "")
            return
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        keyword = node.children[0].type
        text = self._parsed.text_of(condition) if condition is not None else ""
        span = self._span(node)
        header = Span(span.start, self._span(body).start if body is not None else span.end)
        self._loops[node.id] = Loop(keyword, text.strip().rstrip(";").strip(), span, header, self._body(body))

    def _body(self, node: Node | None) -> str:
        return self._parsed.text_of(node) if node is not None else ""

    def _command(self, node: Node) -> Command | None:
        words = tuple(Word(self._text(child), self._span(child)) for child in _words(node))
        if not words:
            return None
        variables = tuple(self._set_here(node))
        around = tuple(_loops_around(node))
        loops = tuple(self._loops[loop.id] for loop, _ in around if loop.id in self._loops)
        span = Span(words[0].span.start, words[-1].span.end)
        return Command(words, span, loops, variables, bool(around) and around[0][1])

    def _set_here(self, node: Node) -> Iterator[tuple[str, str]]:
        for child in node.children:
            if child.type == "variable_assignment":
                name, _, value = self._parsed.text_of(child).partition("=")
                yield name, value.strip("'\"")

    def _text(self, node: Node) -> str:
        """The word a node stands for; what is unknown keeps its ``$``."""
        written = self._parsed.text_of(node)
        if node.type == "raw_string":
            return written[1:-1]
        if node.type == "command_name" and node.named_children:
            return self._text(node.named_children[0])
        if node.type == "concatenation":
            return "".join(self._text(child) for child in node.children)
        if node.type == "string":
            inner = written[1:-1] if len(written) > 1 else ""
            return re.sub(r"\$\{?(\w+)\}?", self._filled, inner) if "$" in inner else inner
        if node.type in ("simple_expansion", "expansion"):
            default = _DEFAULT.match(written)
            return default.group(1) if default else re.sub(r"^\$\{?(\w+)\}?$", self._filled, written)
        return written.replace("\\\n", "")

    def _filled(self, match: re.Match[str]) -> str:
        return self._values.get(match.group(1)) or match.group()


def _words(node: Node) -> list[Node]:
    skipped = ("variable_assignment", "file_redirect", "herestring_redirect", "heredoc_redirect", "comment")
    return [child for child in node.named_children if child.type not in skipped]


def _loops_around(node: Node) -> Iterator[tuple[Node, bool]]:
    """The loops that a node stands in, and whether in the condition."""
    inner, outer = node, node.parent
    while outer is not None:
        if outer.type in ("while_statement", "for_statement", "c_style_for_statement"):
            yield outer, inner == outer.child_by_field_name("condition")
        if outer.type == "function_definition":
            return
        inner, outer = outer, outer.parent

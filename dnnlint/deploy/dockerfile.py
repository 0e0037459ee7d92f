"""Dockerfiles: stages with their images and variables, users, and the commands of RUN, CMD and ENTRYPOINT."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from dnnlint.deploy.grammar import Parsed, walk
from dnnlint.deploy.installs import environment_of
from dnnlint.deploy.model import Command, DeployFile, Image, Script, Stage, Word
from dnnlint.deploy.shell import from_words, read_script
from dnnlint.deploy.tree import Span

if TYPE_CHECKING:
    from tree_sitter import Node

_VARIABLE = re.compile(r"\$\{(\w+)(?::?-([^}]*))?\}|\$(\w+)")
_COMMENT_LINE = re.compile(r"(?<=\n)[ \t]*#[^\n]*")
_SHELL_OPTION = re.compile(r"^\s*--\w+(=\S+)?\s+")


def read_dockerfile(file: DeployFile) -> None:
    """Fill in the stages, images, scripts and environments of a Dockerfile."""
    parsed = Parsed(file.text, "containerfile")
    reader = _Reader(parsed, file)
    for node in parsed.root.named_children:
        reader.instruction(node)
    reader.finish()
    file.comments += [
        (parsed.span(node).start, parsed.text_of(node)) for node in walk(parsed.root) if node.type == "comment"
    ]


def substituted(text: str, variables: dict[str, str]) -> str:
    """A text with its variables filled in as far as they are known."""

    def value(match: re.Match[str]) -> str:
        name = match.group(1) or match.group(3)
        return variables.get(name) or match.group(2) or match.group()

    return _VARIABLE.sub(value, text)


class _Reader:
    """Reads one instruction after the other."""

    def __init__(self, parsed: Parsed, file: DeployFile) -> None:
        self._parsed = parsed
        self._file = file
        self._globals: dict[str, str] = {}
        self._variables: dict[str, str] = {}
        self._aliases: dict[str, int] = {}
        self._commands: list[list[Command]] = []
        self._starts: list[dict[str, Script]] = []
        self._words: list[dict[str, Word]] = []
        self._users: list[list[Word]] = []
        self._bases: list[int | None] = []

    def instruction(self, node: Node) -> None:
        """Take in one instruction."""
        span = self._parsed.span(node)
        if node.type.endswith("_instruction") and "\n" in self._file.text[span.start : span.end].rstrip():
            self._file.continued.append(span)
        if node.type == "arg_instruction":
            self._arguments(node)
        elif node.type == "from_instruction":
            self._from(node)
        elif not self._bases:
            return
        elif node.type == "env_instruction":
            self._environment(node)
        elif node.type == "user_instruction":
            word = self._parsed.text_of(node).partition(" ")[2].strip()
            self._users[-1].append(Word(substituted(word, self._variables), span))
        elif node.type in ("run_instruction", "cmd_instruction", "entrypoint_instruction"):
            self._script(node)

    def _arguments(self, node: Node) -> None:
        words = self._parsed.text_of(node).split(None, 1)
        for pair in (words[1] if len(words) > 1 else "").replace("\\\n", " ").split():
            name, equals, value = pair.partition("=")
            known = self._variables if self._bases else self._globals
            if equals:
                known[name] = substituted(value.strip("'\""), {**self._globals, **self._variables})
            elif self._bases and name in self._globals:
                known[name] = self._globals[name]

    def _from(self, node: Node) -> None:
        image = next((child for child in node.named_children if child.type == "image_spec"), None)
        if image is None:
            return
        alias = next((child for child in node.named_children if child.type == "image_alias"), None)
        written = substituted(self._parsed.text_of(image), self._globals)
        base = self._aliases.get(written.lower())
        self._bases.append(base)
        self._variables = dict(self._globals_of(base))
        self._file.images.append(Image(written, self._parsed.span(image)))
        self._commands.append(list(self._commands[base]) if base is not None else [])
        self._starts.append(dict(self._starts[base]) if base is not None else {})
        self._words.append(dict(self._words[base]) if base is not None else {})
        self._users.append(list(self._users[base]) if base is not None else [])
        if alias is not None:
            self._aliases[self._parsed.text_of(alias).lower()] = len(self._bases) - 1

    def _globals_of(self, base: int | None) -> dict[str, str]:
        return {name: word.text for name, word in self._words[base].items()} if base is not None else {}

    def _environment(self, node: Node) -> None:
        for pair in node.named_children:
            name = pair.child_by_field_name("name") or (pair.named_children[0] if pair.named_children else None)
            if pair.type != "env_pair" or name is None:
                continue
            key = self._parsed.text_of(name)
            written = self._parsed.text_of(pair)[len(key) :].lstrip(" =").strip("'\"")
            value = substituted(written, self._variables)
            self._variables[key] = value
            self._words[-1][key] = Word(value, self._parsed.span(pair))

    def _script(self, node: Node) -> None:
        script = self._read(node)
        if node.type == "run_instruction":
            self._commands[-1] += script.commands
        else:
            self._starts[-1][node.type] = script
        self._file.scripts.append(script)

    def _read(self, node: Node) -> Script:
        body = next((child for child in walk(node) if child.type == "json_string_array"), None)
        if body is not None:
            words = tuple(self._quoted(child) for child in body.named_children)
            return from_words(words, self._file.text)
        heredocs = [child for child in walk(node) if child.type == "heredoc_content"]
        if heredocs:
            parts = [read_script(self._file.text, self._parsed.span(child)) for child in heredocs]
            return Script(
                tuple(command for part in parts for command in part.commands),
                tuple(loop for part in parts for loop in part.loops),
                tuple(end for part in parts for end in part.exits),
            )
        shell = next((child for child in walk(node) if child.type == "shell_command"), None)
        return self._shell(self._parsed.span(shell)) if shell is not None else Script()

    def _quoted(self, node: Node) -> Word:
        start, end = self._parsed.span(node)
        return Word(self._parsed.text_of(node)[1:-1], Span(start + 1, end - 1))

    def _shell(self, span: Span) -> Script:
        """A shell command; comment lines inside it are no part of it, and variables of the build are filled in."""
        text = self._file.text[span.start : span.end]
        text = _COMMENT_LINE.sub(lambda match: " " * len(match.group()), text)
        # A line of blanks between continued lines is dropped by the builder and would end the command in a shell.
        text = re.sub(
            r"(?<=\n)[ \t]*\n",
            lambda match: " " * (len(match.group()) - 2) + "\\\n" if len(match.group()) > 1 else " ",
            text,
        )
        option = _SHELL_OPTION.match(text)
        if option is not None:
            text = " " * option.end() + text[option.end() :]
        script = read_script(" " * span.start + text)
        return replace(script, commands=tuple(self._filled(command) for command in script.commands))

    def _filled(self, command: Command) -> Command:
        known = {**self._variables}
        return replace(command, words=tuple(Word(substituted(word.text, known), word.span) for word in command.words))

    def finish(self) -> None:
        """Put the stages together."""
        for index, base in enumerate(self._bases):
            starts = self._starts[index].values()
            script = Script(tuple(command for part in starts for command in part.commands))
            stage = Stage(
                self._file.images[index],
                base,
                tuple(self._users[index]),
                index == len(self._bases) - 1,
                self._words[index],
                script,
            )
            self._file.stages.append(stage)
            own = self._commands[index] if base is None else self._commands[index][len(self._commands[base]) :]
            environment = environment_of(own, self._file.neighbours)
            if environment is not None:
                self._file.environments.append(environment)

"""Words for messages: the user's code in short, what a value is and where it comes from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.values import Const, Setting, Value, Values

if TYPE_CHECKING:
    from dnnlint.program import Program

_SOURCES = {
    "argparse": "default of `--{}`",
    "click": "default of the option `--{}`",
    "typer": "default of the option `{}`",
    "dataclass": "default of the field `{}`",
    "parameter": "default of the parameter `{}`",
}
_TAIL = 12
"""The characters of a shortened text that show how it ends."""


class _WithoutComments(cst.CSTTransformer):
    def leave_TrailingWhitespace(
        self, original_node: cst.TrailingWhitespace, updated_node: cst.TrailingWhitespace
    ) -> cst.TrailingWhitespace:
        return updated_node.with_changes(comment=None)

    def leave_EmptyLine(self, original_node: cst.EmptyLine, updated_node: cst.EmptyLine) -> cst.EmptyLine:
        return updated_node.with_changes(comment=None)


def source_text(program: Program, node: cst.CSTNode, limit: int = 60) -> str:
    """The source of a node on one line, shortened in the middle where it is longer than ``limit`` characters."""
    text = program.module.code_for_node(node)
    if "\n" in text:
        text = program.module.code_for_node(cst.ensure_type(node.visit(_WithoutComments()), type(node)))
        text = re.sub(r",?\s*\n\s*(?=[)\]}])|(?<=[(\[{])\s*\n\s*", "", text)
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - _TAIL - 3]}...{text[-_TAIL:]}"


def quoted(program: Program, node: cst.CSTNode, limit: int = 60) -> str:
    """The source of a node as a message shows code: short and in backticks; a number stays as it is."""
    text = source_text(program, node, limit)
    return text if isinstance(node, (cst.Integer, cst.Float)) else f"`{text}`"


def described(values: Values) -> str:
    """For example ``4 (default of `--workers`)`` or ``0 or 2``; an empty string where a value is not known."""
    texts = [_one(value) for value in values]
    return "" if not texts or "" in texts else " or ".join(dict.fromkeys(texts))


def _one(value: Value) -> str:
    if isinstance(value, Const):
        return repr(value.value)
    if isinstance(value, Setting) and value.defaults:
        inner = described(value.defaults)
        source = _SOURCES.get(value.source, "default of `{}`")
        if value.source.startswith("config:"):
            source = "`{}` in " + value.source.removeprefix("config:")
        return f"{inner} ({source.format(_spelling(value))})" if inner else ""
    return ""


def option_name(values: Values) -> str:
    """The run-time option among values, as a user writes it and in backticks; empty where there is none."""
    for value in values:
        if isinstance(value, Setting):
            dashes = "--" if value.source in ("argparse", "click") else ""
            return f"`{dashes}{_spelling(value)}`"
    return ""


def _spelling(option: Setting) -> str:
    return option.name.replace("_", "-") if option.source in ("argparse", "click") else option.name

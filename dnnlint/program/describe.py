"""Short texts about the user's code, for messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.program.values import Setting, Values

if TYPE_CHECKING:
    import libcst as cst

    from dnnlint.program import Program


def text_of(program: Program, node: cst.CSTNode, limit: int = 60) -> str:
    """The source of a node on one line, shortened in the middle where it is long."""
    text = " ".join(program.module.code_for_node(node).split())
    return text if len(text) <= limit else f"{text[: limit - 15]}...{text[-12:]}"


def option_name(values: Values) -> str:
    """The name of the run-time option among values, as a user writes it; empty where there is none."""
    for value in values:
        if isinstance(value, Setting):
            return f"--{value.name.replace('_', '-')}" if value.source in ("argparse", "click") else value.name
    return ""

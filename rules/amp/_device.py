"""Edits that give a call of torch.amp the device type that it requires."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.rule import NodeEdit

if TYPE_CHECKING:
    from dnnlint.program import Program


def with_device(
    program: Program, call: cst.Call, device: str, function: str = "", positional: tuple[str, ...] = ()
) -> tuple[NodeEdit, ...]:
    """Insert the device as first argument, and rename the function where a new name is given.

    ``positional`` names the arguments that were accepted by position and have to become keywords; an empty tuple
    leaves them where they are. No edit where ``*arguments`` hide their number.
    """
    if any(argument.star == "*" for argument in call.args):
        return ()
    name = function or program.module.code_for_node(call.func)
    if not call.args:
        return (NodeEdit("replace", call, f'{name}("{device}")'),)
    edits = [NodeEdit("replace", call.func, name)] if function else []
    for index, argument in enumerate(call.args):
        named = argument.keyword is not None or argument.star
        if positional and not named and index >= len(positional):
            return ()
        keyword = f"{positional[index]}=" if positional and not named else ""
        text = f'"{device}", {keyword}' if index == 0 else keyword
        if text:
            edits.append(NodeEdit("before", argument, text))
    return tuple(edits)

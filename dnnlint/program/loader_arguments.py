"""Arguments of data loaders: what is switched off, how it is switched on, and where the batches go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call, Function
from dnnlint.program.loaders import choices
from dnnlint.program.precision import device_types
from dnnlint.program.tree import Activation, Repeat, walk
from dnnlint.program.values import Const, FunctionValue, Ref
from dnnlint.rule import NodeEdit

if TYPE_CHECKING:
    from dnnlint.program import Program


def is_off(program: Program, call: Call, name: str) -> bool:
    """Whether a switch is certainly left out, False or None; an option of the command line decides by itself."""
    refs, known = choices(program, call, name)
    values = [value for ref in refs if ref is not None for value in program.resolver.resolve(ref)]
    return known and all(isinstance(value, Const) and not value.value for value in values)


def is_absent(program: Program, call: Call, name: str) -> bool:
    """Whether a parameter is certainly left out or None."""
    refs, known = choices(program, call, name)
    return known and all(ref is None or program.resolver.resolve(ref) == (Const(None),) for ref in refs)


def switch_on(call: Call, name: str, value: str = "True") -> tuple[NodeEdit, ...]:
    """The edit that gives ``name=value``; none where the argument is not written at the call itself."""
    for entry in call.node.args:
        if entry.keyword is not None and entry.keyword.value == name:
            literal = isinstance(entry.value, cst.Name) and entry.value.value in ("False", "None")
            return (NodeEdit("replace", entry.value, value),) if literal else ()
    if not call.node.args or any(entry.star for entry in call.node.args):
        return ()
    return (NodeEdit("after", call.node.args[-1], f", {name}={value}"),)


def feeds_cuda(program: Program, call: Call) -> bool:
    """Whether a loop over a loader moves its batches to a CUDA device."""
    return any(_moves_to_cuda(program, repeat) for repeat in program.loader_uses.repeats(call))


def _moves_to_cuda(program: Program, repeat: Repeat) -> bool:
    functions = {id(node.function) for node in walk(repeat.body) if isinstance(node, Activation)}
    for name in ("cuda", "to"):
        for call in program.resolver.sites_named(name):
            if not isinstance(call.node.func, cst.Attribute):
                continue
            inside = call.block.within(repeat.loop.body) or id(call.block.function) in functions
            if inside and (name == "cuda" or _names_cuda(program, call)):
                return True
    return False


def _names_cuda(program: Program, call: Call) -> bool:
    devices = [e.value for e in call.node.args if e.keyword is None or e.keyword.value == "device"]
    place = program.place_of(call)
    return bool(devices) and "cuda" in device_types(program.resolver, Ref(devices[0], place))


def is_made_within(program: Program, call: Call, outer: Repeat) -> bool:
    """Whether a loop makes the loader anew in each turn, directly or by calling the function that makes it."""
    body = outer.loop.body
    if call.block.within(body):
        return True
    maker: Function | None = call.block.function
    if maker is None:
        return False
    for other in program.resolver.sites_named(maker.name):
        if other.block.within(body):
            callees = program.resolve(other.node.func, other)
            if any(isinstance(value, FunctionValue) and value.function is maker for value in callees):
                return True
    return any(isinstance(node, Activation) and node.function is maker for node in walk(outer.body))

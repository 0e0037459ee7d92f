"""Run-time options that are parsed and that nothing in the program reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from dnnlint.facts import mentions
from dnnlint.program.libraries import is_known
from dnnlint.program.values import External, FunctionValue, Member, Ref, Result, Value

if TYPE_CHECKING:
    from dnnlint.facts import Call
    from dnnlint.program import Program


class UnreadOption(NamedTuple):
    """An option by its name, with the declaration to point at."""

    name: str
    node: cst.CSTNode


def unread_options(program: Program, matches: Callable[[str, cst.Call | None], bool]) -> Iterator[UnreadOption]:
    """The unread options that ``matches`` takes, given the name and the call that declares it; parameters first."""
    yield from _parameters(program, matches)
    declared = program.resolver.options.declared()
    names = [name for name, calls in declared.items() if matches(name, calls[0].node)]
    if not names or _is_handed_on(program):
        return
    code = "\n".join(unit.source for unit in program.linker.parsed)
    for name in names:
        own = "".join(program.module.code_for_node(call.node) for call in declared[name])
        word = re.compile(rf"\b{re.escape(name)}\b")
        if len(word.findall(code)) == len(word.findall(own)):
            yield UnreadOption(name, declared[name][0].node)


def _parameters(program: Program, matches: Callable[[str, cst.Call | None], bool]) -> Iterator[UnreadOption]:
    """Options that click or typer passes as parameters which the body does not read."""
    for function in program.facts.functions:
        for parameter in function.parameters:
            if not matches(parameter.name, None) or mentions(function.node.body, parameter.name, "locals"):
                continue
            option = program.resolver.options.of_parameter(program.resolver, function, parameter.name)
            if option is not None and option.node is not None:
                yield UnreadOption(parameter.name, option.node)


def _is_handed_on(program: Program) -> bool:
    """Whether the parsed options go as a whole to code that the program does not show."""
    resolver = program.resolver
    if not any(resolver.sites_named(name) for name in ("parse_args", "parse_known_args")):
        return True
    for call in program.facts.calls:
        place = program.place_of(call)
        for entry in call.node.args:
            if not isinstance(entry.value, (cst.Name, cst.Attribute, cst.Call)):
                continue
            values = resolver.resolve(Ref(entry.value, place))
            if any(_is_all_options(program, v) for v in values) and (entry.star or not _is_shown(program, call)):
                return True
    return False


def _is_all_options(program: Program, value: Value) -> bool:
    """What ``parse_args()`` returned, as it is or as a dictionary: ``vars(args)``, also copied."""
    if isinstance(value, Result) and isinstance(value.callee, Member) and value.method == "copy":
        return _is_all_options(program, value.callee.base)
    if isinstance(value, Result) and value.qualified in ("builtins.vars", "builtins.dict") and value.node.args:
        given = program.resolver.resolve(Ref(value.node.args[0].value, value.place))
        return any(_is_all_options(program, inner) for inner in given)
    return program.resolver.options.is_namespace(value)


def _is_shown(program: Program, call: Call) -> bool:
    """Whether a call leads to code whose own calls are looked at as well, or to a library that knows no options."""
    return all(
        program.is_own(value.function.body)
        if isinstance(value, FunctionValue)
        else isinstance(value, External) and is_known(value.qualified)
        for value in program.resolve(call.node.func, call)
    )

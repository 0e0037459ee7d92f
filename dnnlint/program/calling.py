"""Calls of project functions: the frame they run in, with their arguments bound to parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Function, dotted
from dnnlint.program.values import Frame, FunctionValue, Items, Place, Ref, Table

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

MAX_DEPTH = 10


def is_static(function: Function) -> bool:
    """Whether a function takes no receiver: a plain function or a static method."""
    return function.owner is None or any(dotted(d) == "staticmethod" for d in function.decorators)


def is_class_method(function: Function) -> bool:
    """Whether the first parameter of a method is its class."""
    return function.owner is not None and any(dotted(d) == "classmethod" for d in function.decorators)


def arguments_of(resolver: Resolver, call: cst.Call, place: Place) -> Iterator[tuple[str | None, Ref | None]]:
    """The arguments as (keyword or None, expression); (None, None) stands for unknown further ones.

    ``*sequence`` and ``**mapping`` are taken apart where a literal is behind them.
    """
    for argument in call.args:
        ref = Ref(argument.value, place)
        if argument.star == "*":
            yield from _unpacked_sequence(resolver, ref)
        elif argument.star == "**":
            yield from _unpacked_mapping(resolver, ref)
        else:
            yield (argument.keyword.value if argument.keyword else None), ref


def _unpacked_sequence(resolver: Resolver, ref: Ref) -> Iterator[tuple[str | None, Ref | None]]:
    values = resolver.resolve(ref)
    if len(values) == 1 and isinstance(values[0], Items):
        for element in values[0].refs:
            yield None, element
    else:
        yield None, None


def _unpacked_mapping(resolver: Resolver, ref: Ref) -> Iterator[tuple[str | None, Ref | None]]:
    values = resolver.resolve(ref)
    tables = [value for value in values if isinstance(value, Table)]
    for table in tables:
        yield from table.refs
    if len(tables) != len(values) or not all(table.complete for table in tables) or not tables:
        yield None, None


def argument(resolver: Resolver, call: cst.Call, place: Place, name: str, position: int = -1) -> Ref | None:
    """The expression passed for a parameter of a library callable, by keyword or position; None if absent."""
    index = 0
    found = None
    for keyword, ref in arguments_of(resolver, call, place):
        if ref is None:
            continue
        if keyword == name or (keyword is None and index == position):
            found = ref
        index += keyword is None
    return found


def has_unknown_arguments(resolver: Resolver, call: cst.Call, place: Place) -> bool:
    """Whether ``*`` or ``**`` passes arguments that the file does not show."""
    return any(ref is None for _, ref in arguments_of(resolver, call, place))


def bind_arguments(resolver: Resolver, target: FunctionValue, call: cst.Call, place: Place) -> Frame:
    """The frame of a call: each parameter's possible arguments."""
    function = target.function
    depth = place.frame.depth + 1
    frame = Frame(function, target.closure, receiver=target.receiver, caller=place, depth=depth)
    positional = [p.name for p in function.parameters if p.kind == "positional"]
    if not is_static(function) and target.receiver is not None:
        positional = positional[1:]
    named = {p.name for p in function.parameters if p.kind in ("positional", "keyword")}
    bound = [(name or None, ref) for name, ref in target.bound]
    extra: list[tuple[str, Ref]] = []
    index = 0
    for keyword, ref in (*bound, *arguments_of(resolver, call, place)):
        if ref is None:
            frame.open_keywords = True
        elif keyword is None:
            if index < len(positional):
                frame.arguments[positional[index]] = (ref,)
            index += 1
        elif keyword in named:
            # A mapping filled under a condition may hold a key twice: both values are possible.
            frame.arguments[keyword] = (*frame.arguments.get(keyword, ()), ref)
        else:
            extra.append((keyword, ref))
    frame.extra = tuple(extra)
    return frame

"""Dictionaries that are filled after their creation: ``options["pin_memory"] = True``, ``options.update(...)``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Block, lookup
from dnnlint.program.values import Const, Frame, Place, Ref, Table, Value

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

_FILLERS = ("update", "setdefault")
_MOST_VARIANTS = 16


@dataclass(frozen=True, slots=True)
class _Filling:
    """Entries added by one statement; ``complete`` is False where some of them are unknown."""

    entries: tuple[tuple[str, Ref], ...]
    complete: bool
    node: cst.CSTNode
    block: Block
    order: int


def filled(resolver: Resolver, name: str, ref: Ref, frame: Frame, tables: list[Value]) -> list[Value]:
    """The tables a name may hold with what the statements before its use put into them.

    A statement that runs under a condition gives two tables, one with its entries and one without.
    """
    found = tables
    for filling in sorted(_fillings(resolver, name, ref, frame), key=lambda entry: entry.order):
        after = [_extended(value, filling) if isinstance(value, Table) else value for value in found]
        always = ref.place.block.within(filling.block) or ref.place.frame is not frame
        if always:
            found = after
        elif len(found) <= _MOST_VARIANTS // 2:
            found = [*found, *after]
        else:
            found = [_blurred(value, filling) for value in found]
    return found


def _blurred(value: Value, filling: _Filling) -> Value:
    """The same table without what a condition may have changed: conditions multiply, so only a few are told apart."""
    if not isinstance(value, Table):
        return value
    changed = {key for key, _ in filling.entries}
    return Table(tuple(ref for ref in value.refs if ref[0] not in changed), False, value.node, value.place)


def _extended(table: Table, filling: _Filling) -> Table:
    return Table((*table.refs, *filling.entries), table.complete and filling.complete, filling.node, table.place)


def _fillings(resolver: Resolver, name: str, ref: Ref, frame: Frame) -> Iterator[_Filling]:
    owner, _ = lookup(ref.place.block.scope, name)
    for assign in resolver.entries_set_on(name):
        target = assign.target
        if isinstance(target, cst.Subscript):
            index = target.slice[0].slice
            seen = assign.order < ref.place.order or assign.block.scope is not ref.place.block.scope
            if seen and isinstance(index, cst.Index) and lookup(assign.block.scope, name)[0] is owner:
                place = Place(_frame(resolver, frame, assign.block), assign.block, assign.order)
                key = resolver.resolve(Ref(index.value, place))
                known = len(key) == 1 and isinstance(key[0], Const)
                entries = (
                    ((str(key[0].value), Ref(assign.value, place)),) if known and isinstance(key[0], Const) else ()
                )
                yield _Filling(entries, known, assign.node, assign.block, assign.order)
    for method in _FILLERS:
        for call in resolver.sites_named(method):
            same = isinstance(call.root, cst.Name) and call.root.value == name and call.chain == (method,)
            seen = call.order < ref.place.order or call.block.scope is not ref.place.block.scope
            if same and seen and lookup(call.block.scope, name)[0] is owner:
                place = Place(_frame(resolver, frame, call.block), call.block, call.order)
                yield _called(resolver, method, call.node, place)


def _frame(resolver: Resolver, frame: Frame, block: Block) -> Frame:
    return frame if frame.function is block.function else resolver.frame_of(block.function, block.scope)


def _called(resolver: Resolver, method: str, node: cst.Call, place: Place) -> _Filling:
    entries: list[tuple[str, Ref]] = []
    complete = True
    arguments = list(node.args)
    if method == "setdefault":
        key = resolver.resolve(Ref(arguments[0].value, place)) if len(arguments) > 1 else ()
        known = len(key) == 1 and isinstance(key[0], Const)
        if known and isinstance(key[0], Const):
            entries.append((str(key[0].value), Ref(arguments[1].value, place)))
        return _Filling(tuple(entries), known, node, place.block, place.order)
    for argument in arguments:
        if argument.keyword is not None:
            entries.append((argument.keyword.value, Ref(argument.value, place)))
            continue
        values = resolver.resolve(Ref(argument.value, place))
        tables = [value for value in values if isinstance(value, Table)]
        entries.extend(entry for table in tables for entry in table.refs)
        complete = complete and len(tables) == len(values) and all(table.complete for table in tables)
    return _Filling(tuple(entries), complete, node, place.block, place.order)

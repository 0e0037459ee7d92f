"""What a program saves: the objects and the names behind the argument of a save, through dictionaries and loops."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.calling import argument
from dnnlint.program.tree import Event
from dnnlint.program.values import Const, Frame, Member, Operation, Place, Ref, Result, Table, Value

if TYPE_CHECKING:
    from dnnlint.facts import Function
    from dnnlint.program import Program

_MAX_DEPTH = 8
_BUFFERS = ("io.BytesIO", "tempfile.SpooledTemporaryFile")


@dataclass(slots=True)
class Saved:
    """The content of one save.

    ``names`` are the keys and the last names of what is saved, in lower case. ``unknown`` is True where a part cannot
    be followed. ``tables`` are the dictionary literals on the way, outermost first.
    """

    objects: list[Value] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    tables: list[Table] = field(default_factory=list)
    unknown: bool = False
    has_state: bool = False
    """A part is the ``state_dict()`` of something."""

    @property
    def is_collection(self) -> bool:
        """Whether several things are saved under names."""
        return bool(self.tables)


def is_in_memory(program: Program, call: cst.Call, place: Place) -> bool:
    """Whether a ``torch.save`` writes to a buffer, not to a file."""
    given = argument(program.resolver, call, place, "f", 1)
    values = program.resolver.resolve(given) if given is not None else ()
    return any(isinstance(value, Result) and value.qualified in _BUFFERS for value in values)


def saved_by(program: Program, save: Event) -> Saved:
    """The content of a ``torch.save`` call."""
    found = Saved()
    call = save.call.node
    given = argument(program.resolver, call, save.place, "obj", 0) if isinstance(call, cst.Call) else None
    if given is None:
        found.unknown = True
    else:
        _collect(program, given, found, set(), 0)
    return found


def _collect(program: Program, ref: Ref, found: Saved, seen: set[Hashable], depth: int) -> None:
    if depth > _MAX_DEPTH:
        found.unknown = True
        return
    if isinstance(ref.node, (cst.Name, cst.Attribute)):
        found.names.add(_last_name(ref.node))
    for value in program.resolver.resolve(ref):
        if value.key not in seen:
            seen.add(value.key)
            _add(program, value, found, seen, depth + 1)


def _last_name(node: cst.BaseExpression) -> str:
    name = node.attr.value if isinstance(node, cst.Attribute) else getattr(node, "value", "")
    return str(name).lower()


def _add(program: Program, value: Value, found: Saved, seen: set[Hashable], depth: int) -> None:
    if isinstance(value, Table):
        found.tables.append(value)
        _add_table(program, value, found, seen, depth)
    elif isinstance(value, Operation) and isinstance(value.ref.node, cst.DictComp):
        _add_comprehension(program, value.ref.node, value.ref.place, found, seen, depth)
    elif isinstance(value, Result) and isinstance(value.callee, Member) and "state_dict" in value.method:
        found.objects.append(value.callee.base)
        found.has_state = True
        func = value.node.func
        if isinstance(func, cst.Attribute):
            found.names.add(_last_name(func.value))
    elif isinstance(value, Result) and not isinstance(value.callee, Member) and not _is_plain(value):
        # A function of another file may collect anything.
        found.unknown = True
    elif not isinstance(value, Const):
        found.objects.append(value)


def _is_plain(value: Result) -> bool:
    return value.qualified.startswith(("torch.", "builtins.", "time.", "datetime.", "copy.", "random.", "numpy."))


def _add_table(program: Program, table: Table, found: Saved, seen: set[Hashable], depth: int) -> None:
    for key, ref in (*table.refs, *_added_later(program, table)):
        found.names.add(key.lower())
        _collect(program, ref, found, seen, depth)
    if isinstance(table.node, cst.Dict):
        for element in table.node.elements:
            if not (isinstance(element, cst.DictElement) and isinstance(element.key, cst.SimpleString)):
                _collect(program, Ref(element.value, table.place), found, seen, depth)
    elif not table.complete:
        found.unknown = True


def _added_later(program: Program, table: Table) -> Iterator[tuple[str, Ref]]:
    """``state["scaler"] = scaler.state_dict()`` and ``state.update(...)`` after the literal."""
    for assign in program.facts.assigns:
        target = assign.target
        if isinstance(target, cst.Subscript) and not assign.operator:
            place = Place(_frame(program, table, assign.block.function), assign.block, assign.order)
            if any(v.key == table.key for v in program.resolver.resolve(Ref(target.value, place))):
                yield _key(program, target, place), Ref(assign.value, place)
    for call in program.resolver.sites_named("update"):
        func = call.node.func
        if isinstance(func, cst.Attribute) and call.node.args:
            place = Place(_frame(program, table, call.block.function), call.block, call.order)
            if any(v.key == table.key for v in program.resolver.resolve(Ref(func.value, place))):
                for given in call.node.args:
                    yield (given.keyword.value if given.keyword else ""), Ref(given.value, place)


def _frame(program: Program, table: Table, function: Function | None) -> Frame:
    same = table.place.frame.function is function
    return table.place.frame if same else program.resolver.frame_of(function)


def _key(program: Program, target: cst.Subscript, place: Place) -> str:
    index = target.slice[0].slice
    values = program.resolver.resolve(Ref(index.value, place)) if isinstance(index, cst.Index) else ()
    return str(values[0].value) if len(values) == 1 and isinstance(values[0], Const) else ""


def _add_comprehension(
    program: Program, node: cst.DictComp, place: Place, found: Saved, seen: set[Hashable], depth: int
) -> None:
    """``{name: part.state_dict() for name, part in parts.items()}``: the parts."""
    iterable = node.for_in.iter
    if isinstance(iterable, cst.Call) and isinstance(iterable.func, cst.Attribute):
        iterable = iterable.func.value
    values = program.resolver.resolve(Ref(iterable, place))
    tables = [value for value in values if isinstance(value, Table)]
    found.unknown = found.unknown or len(tables) < len(values)
    for table in tables:
        _add(program, table, found, seen, depth)

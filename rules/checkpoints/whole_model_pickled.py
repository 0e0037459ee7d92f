"""DNN706: a whole model is pickled, with the import path of its class, instead of its state dict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.calling import argument
from dnnlint.program.roles import is_made_optimizer
from dnnlint.program.saving import is_in_memory
from dnnlint.program.tree import Kind
from dnnlint.program.values import Member, Object, Opaque, Ref, Result, Table, Value
from dnnlint.program.wording import quoted
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_SCRIPTED = ("torch.jit.script", "torch.jit.trace", "torch.export.export")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report torch.save of a model, alone or under a key of a dictionary literal."""
    calls = program.calls_to("torch.save")
    runs = program.events(Kind.SAVE) if calls else []
    for call in calls:
        # A helper is judged by its callers, where they show.
        places = [run.place for run in runs if run.call is call] or [program.place_of(call)]
        for place in places:
            if is_in_memory(program, call.node, place):
                continue
            given = argument(program.resolver, call.node, place, "obj", 0)
            for ref in _parts(program, given) if given is not None else ():
                values = program.resolver.resolve(ref)
                if values and all(_is_whole_model(program, value) for value in values):
                    yield _report(program, call, ref, alone=ref is given)


def _parts(program: Program, given: Ref) -> Iterator[Ref]:
    """What is saved, or the entries of the dictionary that is saved."""
    values = program.resolver.resolve(given)
    tables = [value for value in values if isinstance(value, Table)]
    if tables and len(tables) == len(values):
        yield from (ref for table in tables for _, ref in table.refs)
    else:
        yield given


def _is_whole_model(program: Program, value: Value) -> bool:
    """A module whose construction is seen, or that the file uses as one."""
    if isinstance(value, Result) and (value.qualified in _SCRIPTED or is_made_optimizer(value)):
        return False
    if isinstance(value, Object):
        return program.roles.is_module_class(value)
    if isinstance(value, Result) and not value.qualified:
        return False
    return isinstance(value, (Result, Opaque, Member)) and program.roles.is_model(value)


def _report(program: Program, call: Call, ref: Ref, alone: bool) -> Report:
    text = quoted(program, ref.node)
    followed = isinstance(ref.node, (cst.Name, cst.Attribute)) and alone and _is_only_written(program)
    edits = (NodeEdit("after", ref.node, ".state_dict()"),) if followed else ()
    return Report(
        call.node if alone else ref.node,
        f"{text} is pickled as a whole: the file names the module of its class, and loading it needs that module and "
        "runs the code of the pickle.",
        "Save `state_dict()`, and load it into a model that the script builds.",
        edits=edits,
        fix_description="Save the state dict.",
    )


def _is_only_written(program: Program) -> bool:
    """Whether nothing in the file loads: a reader of whole models would have to change together with the writer."""
    return not program.resolver.sites_named("load")


RULE = Rule(
    code="DNN706",
    name="whole-model-pickled",
    severity=Severity.WARNING,
    clause="S5.2.1",
    check=check,
    fix=FixSafety.UNSAFE,
)

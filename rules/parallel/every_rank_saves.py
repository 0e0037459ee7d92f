"""DNN605: a checkpoint that every rank of a distributed run writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Block
from dnnlint.finding import Severity
from dnnlint.program.calling import argument
from dnnlint.program.ranks import FRAMEWORKS, is_distributed, names_rank, runs_on_one_rank
from dnnlint.program.saving import is_in_memory, saved_by
from dnnlint.program.tree import Activation, Event, Kind, ancestors, events
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_TRAINING_STATE = re.compile(r"model|net$|state|weights|optim|checkpoint|ckpt|params")
_SHARDED = ("SHARDED_STATE_DICT", "LOCAL_STATE_DICT", "ShardedStateDictConfig", "LocalStateDictConfig")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report saves of checkpoints that no test of the rank stands around."""
    if not program.calls_to("torch.save") or program.imports(*FRAMEWORKS):
        return
    if any(program.loads_attribute(name) for name in _SHARDED):
        return
    shown = (save for save in program.events(Kind.SAVE) if _shows_its_caller(save))
    saves = [save for save in shown if is_distributed(program, _entry(save))]
    guarded = {id(save.call) for save in saves if runs_on_one_rank(program, save)}
    seen: set[int] = set()
    for save in saves:
        if id(save.call) in guarded | seen or not _is_checkpoint(program, save) or _has_own_file(program, save):
            continue
        seen.add(id(save.call))
        yield Report(
            save.call.node,
            f"Several ranks run {quoted(program, save.call.node)}: they write one file at the same time.",
            "Save on one rank: `if dist.get_rank() == 0:`.",
        )


def _shows_its_caller(save: Event) -> bool:
    """Whether a save belongs to the script or to a function that trains; a helper may be called on one rank only."""
    root = None
    for outer in ancestors(save):
        root = outer
    return not isinstance(root, Activation) or bool(events(root, Kind.STEP))


def _entry(save: Event) -> Block:
    """The code that leads to a save from outside of every function that is followed."""
    block = save.place.block
    for outer in ancestors(save):
        if isinstance(outer, Activation):
            block = outer.call.block if outer.call is not None else outer.function.body
    return block


def _is_checkpoint(program: Program, save: Event) -> bool:
    saved = saved_by(program, save)
    objects = tuple(saved.objects)
    if saved.has_state or program.roles.any_of(objects, "model") or program.roles.any_of(objects, "optimizer"):
        return True
    return any(_TRAINING_STATE.search(name) for name in saved.names)


def _has_own_file(program: Program, save: Event) -> bool:
    """Whether the name of the file depends on the rank, or there is no file."""
    call = save.call.node
    given = argument(program.resolver, call, save.place, "f", 1) if isinstance(call, cst.Call) else None
    if given is None or not isinstance(call, cst.Call) or is_in_memory(program, call, save.place):
        return True
    return names_rank(program, given)


RULE = Rule(
    code="DNN605",
    name="every-rank-saves",
    severity=Severity.WARNING,
    clause="S3.1.1b",
    check=check,
)

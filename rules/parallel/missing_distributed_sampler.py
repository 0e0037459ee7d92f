"""DNN602: DistributedDataParallel training in which every rank reads all of the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call
from dnnlint.finding import Severity
from dnnlint.program.datasets import is_iterable_dataset
from dnnlint.program.libraries import DISTRIBUTED_DATA_PARALLEL, is_known
from dnnlint.program.loader_arguments import is_absent
from dnnlint.program.loader_roles import TRAINING
from dnnlint.program.loaders import LOADERS, choices
from dnnlint.program.ranks import (
    FRAMEWORKS,
    INIT_PROCESS_GROUP,
    is_chosen_by_rank,
    mentions_rank,
    names_distribution,
    runs_beside,
)
from dnnlint.program.unknown_calls import is_library
from dnnlint.program.values import ClassValue, FunctionValue, Object, Ref, Result
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_SEEDS = ("manual_seed", "seed", "seed_everything", "set_seed", "fix_seed", "default_rng")
_GROUPS = ("new_group", "new_subgroups", "init_device_mesh", "init_rpc")
_IN_FILE = (FunctionValue, ClassValue, Object)


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report training loaders without a sampler beside DistributedDataParallel."""
    if not program.calls_to(*INIT_PROCESS_GROUP) or not program.calls_to(*DISTRIBUTED_DATA_PARALLEL):
        return
    if program.imports(*FRAMEWORKS) or not program.calls_to(*LOADERS) or _seeds_by_rank(program):
        return
    if any(program.resolver.sites_named(name) for name in _GROUPS):
        return  # ranks that hold parts of one model read the same data
    for call in program.calls_to(*LOADERS):
        if program.loader_uses.role(call) != TRAINING or not runs_beside(program, call.block, *INIT_PROCESS_GROUP):
            continue
        if runs_beside(program, call.block, *DISTRIBUTED_DATA_PARALLEL) and _reads_everything(program, call):
            yield Report(
                call.node,
                f"{quoted(program, call.node)} has no sampler, and the model is trained with DDP: every rank reads the "
                "whole dataset.",
                "Give the loader `sampler=DistributedSampler(dataset)`, and call `set_epoch()` on it in each epoch.",
            )


def _reads_everything(program: Program, call: Call) -> bool:
    if not is_absent(program, call, "sampler") or not is_absent(program, call, "batch_sampler"):
        return False
    if is_chosen_by_rank(program, call) or _is_handed_on(program, call):
        return False
    refs = choices(program, call, "dataset")[0]
    return all(ref is not None and _is_whole(program, ref) for ref in refs)


def _is_whole(program: Program, dataset: Ref) -> bool:
    """Whether a dataset is made in the file, of known parts, and nothing in its making depends on the rank."""
    if is_iterable_dataset(program, dataset) or names_distribution(program, dataset):
        return False
    for value in program.resolver.resolve(dataset):
        if isinstance(value, Object):
            classes, outside = program.resolver.lineage(value.cls)
            if any(mentions_rank(cls.node) for cls in classes) or not all(is_library(base) for base in outside):
                return False
        elif not (isinstance(value, Result) and value.qualified and is_known(value.qualified)):
            return False
    return True


def _seeds_by_rank(program: Program) -> bool:
    """Whether each rank draws samples of its own: a seed depends on the rank."""
    for name in _SEEDS:
        for call in program.resolver.sites_named(name):
            place = program.place_of(call)
            if any(names_distribution(program, Ref(given.value, place)) for given in call.node.args):
                return True
    return False


def _is_handed_on(program: Program, loader: Call) -> bool:
    """Whether a function of another file gets the loader, and may split it."""
    for call in program.facts.calls:
        given = [a.value for a in call.node.args if isinstance(a.value, (cst.Name, cst.Attribute, cst.Call))]
        values = [v for node in given for v in program.resolve(node, call)]
        if any(isinstance(v, Result) and v.node is loader.node for v in values):
            callee = program.resolve(call.node.func, call)
            if not all(isinstance(value, _IN_FILE) or is_library(value) for value in callee):
                return True
    return False


RULE = Rule(
    code="DNN602",
    name="missing-distributed-sampler",
    severity=Severity.ERROR,
    clause="S3.1.1b",
    check=check,
)

"""What a loop does with the batches of a loader, where one loop serves several phases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.tree import Event, Fork, Kind, Leave, Repeat, Sequence, ancestors, events, guards_around, walk
from dnnlint.program.values import Ref, Result, Table

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.tree import Node

TRAINING, EVALUATION, UNSEEN = "training", "evaluation", "unseen"


def role_in(program: Program, repeat: Repeat, loader: Result, loaders: list[Result]) -> str:
    """Whether a loop makes gradients from a loader, or runs a model without them; empty where that does not show."""
    training = [event for event in events(repeat.body, Kind.BACKWARD, Kind.STEP) if _may_run(program, event, repeat)]
    opaque = events(repeat.body, Kind.OPAQUE)
    training += [event for event in opaque if program.roles.any_of(event.targets, "optimizer")]
    if training:
        return TRAINING if len(loaders) < 2 else _role_among(program, repeat, loader, training[0])
    return EVALUATION if events(repeat.body, Kind.FORWARD) or opaque else ""


def _may_run(program: Program, event: Event, repeat: Repeat) -> bool:
    """Whether no condition is known to keep an event from running: ``if train:`` of a call with ``train=False``."""
    for fork, side in guards_around(event, repeat):
        if fork.test is not None and program.conditions.outcome(fork.test, {}) is (not side):
            return False
    return True


def _role_among(program: Program, repeat: Repeat, loader: Result, training: Event) -> str:
    """``for x in loaders[phase]`` trains where ``if phase == "train"`` says so; without a condition, all loaders do."""
    guards = [(fork, side) for fork, side in guards_around(training, repeat) if fork.test is not None]
    iterable = repeat.loop.iterable
    while isinstance(iterable, cst.Call) and iterable.args:
        iterable = iterable.args[0].value
    if not guards and not _may_be_skipped(training, repeat):
        return TRAINING
    if isinstance(iterable, cst.Subscript) and isinstance(iterable.slice[0].slice, cst.Index):
        for fork, side in guards:
            found = _decided(program, fork, side, iterable.slice[0].slice.value)
            if found is not None:
                text, holds = found
                chosen = _is_entry(program, Ref(iterable.value, repeat.place), text, loader)
                return TRAINING if chosen is holds else EVALUATION
    return ""


def _may_be_skipped(event: Event, repeat: Repeat) -> bool:
    """Whether a branch in front of an event may leave the turn: ``if phase == "val": continue``."""
    inner: Node = event
    for outer in ancestors(event):
        if isinstance(outer, Sequence):
            before = outer.children[: outer.children.index(inner)]
            forks = [node for node in before if isinstance(node, Fork)]
            if any(isinstance(node, Leave) for fork in forks for node in walk(fork)):
                return True
        if outer is repeat:
            break
        inner = outer
    return False


def _decided(program: Program, fork: Fork, side: bool, index: cst.BaseExpression) -> tuple[str, bool] | None:
    """The key that a test compares the index with, and whether the side taken is the one of that key."""
    test = fork.test
    for _ in range(3):
        if test is None:
            return None
        node = test.node
        if isinstance(node, cst.Comparison) and len(node.comparisons) == 1 and node.left.deep_equals(index):
            operator = node.comparisons[0].operator
            right = node.comparisons[0].comparator
            if isinstance(operator, (cst.Equal, cst.NotEqual)) and isinstance(right, cst.SimpleString):
                return str(right.evaluated_value), isinstance(operator, cst.Equal) is side
        defined = program.conditions.definition(test) if isinstance(node, cst.Name) else None
        test = defined[0] if defined is not None and defined[1] else None
    return None


def _is_entry(program: Program, base: Ref, key: str, loader: Result) -> bool:
    """Whether a loader is what a dictionary holds under a key."""
    for table in program.resolver.resolve(base):
        entry = table.get(key) if isinstance(table, Table) else None
        for value in program.resolver.resolve(entry) if entry is not None else ():
            if isinstance(value, Result) and value.node is loader.node:
                return True
    return False

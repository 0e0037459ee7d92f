"""Training that a file runs as a script: only there is what the program does not show absent for certain."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.roles import last_name
from dnnlint.program.tree import Event, Kind, Node, Repeat, Sequence, ancestors, inside
from dnnlint.program.values import Ref, Result

if TYPE_CHECKING:
    from dnnlint.facts import Call
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

_TEST_LIBRARIES = ("pytest", "unittest", "hypothesis", "torch.testing")
_TEST_PATH = re.compile(r"(^|/)(tests?|testing)/|(^|/)(test_[^/]*|[^/]*_test|conftest)\.py$")
_OF_MODULES = frozenset("to cuda cpu xpu apply float half bfloat16 double type to_empty compile".split())

TRACKERS = tuple(
    "wandb mlflow comet_ml neptune clearml aim swanlab trackio dvclive sacred visdom tensorboard tensorboardX "
    "tensorboard_logger torch.utils.tensorboard torch.utils.tensorboardX lightning pytorch_lightning lightning_fabric "
    "ignite composer mmengine mmcv ray catalyst fastai colossalai determined polyaxon".split()
)
"""Experiment trackers, and frameworks with one of their own."""


def script_loops(program: Program) -> list[TrainingLoop]:
    """The training loops that module-level code runs over data; none in a test, none that only an importer can run.

    A loop over ``range`` with no other around it, which draws no batch by ``next``, measures or optimises one tensor.
    """
    loops = [loop for loop in program.training_loops if loop.steps and loop.window is not None]
    if not loops or is_test(program):
        return []
    return [loop for loop in loops if isinstance(_root(loop.body), Sequence) and _goes_over_data(program, loop)]


def _goes_over_data(program: Program, loop: TrainingLoop) -> bool:
    window = loop.window
    if window is None or loop.outer:
        return window is not None
    draws = any(call.block.within(window.loop.body) for call in program.resolver.sites_named("next"))
    return draws or (window.loop.iterable is not None and not _counts(program, Ref(window.loop.iterable, window.place)))


def _counts(program: Program, iterable: Ref) -> bool:
    values = program.resolver.resolve(iterable)
    bars = [value for value in values if isinstance(value, Result) and last_name(value) == "tqdm" and value.node.args]
    made = (*values, *program.resolver.resolve_all(tuple(Ref(bar.node.args[0].value, bar.place) for bar in bars)))
    return any(last_name(value) in ("range", "trange", "count") for value in made)


def is_test(program: Program) -> bool:
    """Whether a file is a test."""
    path = program.linker.own.path
    name = program.linker.name_of(path) if path else ""
    return program.imports(*_TEST_LIBRARIES) or _TEST_PATH.search(name) is not None


def is_notebook(program: Program) -> bool:
    """Whether the code stands in the cells of a notebook, whose user has the objects at hand when it has run."""
    return os.path.splitext(program.linker.own.path)[1] == ".ipynb"


def _root(node: Node) -> Node:
    return next((outer for outer in reversed(list(ancestors(node)))), node)


def attribute_names(program: Program) -> set[str]:
    """The names of attributes that the program reads or sets."""
    return set(program.facts.attribute_loads) | program.resolver.stored_attributes


def called_parts(call: Call) -> tuple[str, ...]:
    """``("self", "saver", "run")`` of ``self.saver.run()``: what a called thing is named."""
    root = call.root.value if isinstance(call.root, cst.Name) else ""
    return (root, *call.chain)


def unknown_events(program: Program) -> list[Event]:
    """The calls with unknown insides that have a model, an optimizer or a scaler; methods of every module left out."""
    return [event for event in program.events(Kind.OPAQUE) if getattr(event.call, "attribute", "") not in _OF_MODULES]


def is_unknown_inside(program: Program, loop: TrainingLoop) -> bool:
    """Whether such a call stands within the loop or those around it."""
    outermost: Repeat | None = next(reversed(loop.outer), loop.window)
    return outermost is not None and any(inside(event, outermost) for event in unknown_events(program))

"""What the rules on monitoring share: the names of a loop's loss, and who gets it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call, qualified_names
from dnnlint.program.scripts import called_parts
from dnnlint.program.spreading import Spread, functions_of, words_of
from dnnlint.program.tree import Kind
from dnnlint.program.unknown_calls import is_library
from dnnlint.program.values import Const, Items, Member, Opaque, Operation, Result, Table

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop
    from dnnlint.program.values import Value

_SHOWS = re.compile(
    r"print|log|write|info|debug|warn|scalar|postfix|desc|status|report|track|record|metric|notify|emit|progress|"
    r"callback|hook|plot|display|publish|echo|monitor|summar",
    re.I,
)
_KEEPS = re.compile(r"save|dump|to_csv|to_json|to_excel|to_parquet|send|put|show", re.I)
_COMPUTES = frozenset("backward manual_backward log_prob log_softmax logsumexp catalog info_nce logit logits".split())
_CALCULATES = ("torch.", "math.", "numpy.", "einops.")
_OF_BATCHES = frozenset("append add update extend insert step scale get item detach cpu float backward to".split())


def loss_names(program: Program, loop: TrainingLoop) -> set[str]:
    """The names of the losses that a loop computes gradients of, and of what its functions return as a loss."""
    found: set[str] = set()
    for backward in loop.backwards:
        if backward.loss is not None:
            found.update(_names_of(program, backward.loss.node, backward.call))
    return found


def _names_of(program: Program, node: cst.BaseExpression, call: object) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, cst.Attribute):
        yield node.attr.value
    elif isinstance(node, cst.Subscript):
        yield from _names_of(program, node.value, call)
    elif isinstance(node, cst.BinaryOperation):
        yield from _names_of(program, node.left, call)
        if isinstance(node.operator, (cst.Add, cst.Subtract)):
            yield from _names_of(program, node.right, call)
    elif isinstance(node, cst.UnaryOperation):
        yield from _names_of(program, node.expression, call)
    elif isinstance(node, cst.Call):
        if isinstance(node.func, cst.Attribute):
            yield from _names_of(program, node.func.value, call)
        elif isinstance(node.func, cst.Name):
            yield node.func.value
            yield from (name for entry in node.args if node.func.value == "sum" for name in words_of(entry.value))


def metric_names(program: Program, loop: TrainingLoop, losses: set[str]) -> set[str]:
    """The names of the loss, of the terms it is made of, and of what the networks return."""
    found = set(losses)
    forwards = {id(event.call.node) for event in program.events(Kind.FORWARD)}
    for _ in range(3):
        for assign in program.facts.assigns:
            target = words_of(assign.target)
            if not found.isdisjoint(target):
                found |= set(_operands(assign.value))
    for assign in program.facts.assigns:
        if any(id(node) in forwards for node in _calls_in(assign.value)):
            found |= words_of(assign.target)
    return found


def _operands(node: cst.BaseExpression) -> Iterator[str]:
    """The names in sums, products and arguments, without the functions that are called."""
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, cst.BinaryOperation):
        yield from _operands(node.left)
        yield from _operands(node.right)
    elif isinstance(node, cst.Call):
        for entry in node.args:
            yield from _operands(entry.value)
        if isinstance(node.func, cst.Attribute):
            yield from _operands(node.func.value)


def _calls_in(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.Call):
        yield node
    for child in node.children:
        yield from _calls_in(child)


def is_shown(spread: Spread) -> bool:
    """Whether one of the names goes to something named like a print, a log, a progress bar or a tracker."""
    if any(_shows(call, _SHOWS) for call in spread.calls()):
        return True
    return any(_SHOWS.search(name) for name in spread.stores())


def is_kept(spread: Spread) -> bool:
    """Whether one of the names goes to something that may write it to a file."""
    return any(_shows(call, _KEEPS) for call in spread.calls())


def _shows(call: Call, pattern: re.Pattern[str]) -> bool:
    if call.attribute in _COMPUTES or any(name.startswith(_CALCULATES) for name in qualified_names(call)):
        return False
    return any(pattern.search(part) for part in called_parts(call))


def unknown_takers(program: Program, spread: Spread) -> Iterator[Call]:
    """The calls with unknown insides that get one of the names."""
    for call in spread.calls():
        if functions_of(program, call):
            continue
        values = program.resolve(call.node.func, call)
        if not values or not all(_is_harmless(value, call) for value in values):
            yield call


def _is_harmless(value: Value, call: Call) -> bool:
    """Whether a called thing computes with what it gets, or keeps it, and does nothing else."""
    if is_library(value):
        return True
    if isinstance(value, Member):
        base = value.base
        if isinstance(base, (Items, Table, Const, Operation, Result)) or is_library(base):
            return call.attribute in _OF_BATCHES or not isinstance(base, Result)
        return call.attribute in _OF_BATCHES - {"update", "add", "step"} and not isinstance(base, Opaque)
    return False

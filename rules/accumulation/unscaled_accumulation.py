"""DNN201: gradients summed over micro-batches and scaled by their number nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import lookup
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.micro_batches import MicroBatches, accumulations
from dnnlint.program.powers import PLAIN, may_divide
from dnnlint.program.wording import described, quoted
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.tree import Event
    from dnnlint.program.values import Ref

_SIMPLE = (cst.Name, cst.Attribute, cst.Integer)
_CLOSED = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the first backward pass of each loss that no division by the number of micro-batches reaches."""
    reported: set[object] = set()
    for micro in accumulations(program):
        if micro.clears or not _is_unscaled_elsewhere(micro):
            continue
        for backward in micro.backwards:
            if micro.loss(backward) != PLAIN or backward.loss is None:
                continue
            keys = {id(backward.call), *(v.key for v in program.resolver.resolve(backward.loss))}
            if not keys & reported:
                yield _report(program, micro, backward, backward.loss)
            reported |= keys


def _is_unscaled_elsewhere(micro: MicroBatches) -> bool:
    """Whether neither the gradients nor the learning rate are scaled, as far as they can be seen."""
    if any(scaled.powers != PLAIN for scaled in micro.gradients) or micro.rates_set_later:
        return False
    return not any(may_divide(scaled.powers) for scaled in micro.rates)


def _report(program: Program, micro: MicroBatches, backward: Event, loss: Ref) -> Report:
    number = quoted(program, micro.factor.ref.node)
    value = described(micro.factor.values)
    shown = f"{number} = {value}" if value and value != number else number
    return Report(
        backward.call.node,
        f"{quoted(program, backward.call.node, 40)} adds up the gradients of {shown} micro-batches, and nothing "
        "divides the loss, the gradients or the learning rate by it.",
        f"Divide the loss by {number} before `backward()`: the sum is {number} times the gradient of the whole batch.",
        edits=_division(program, micro, backward, loss),
        fix_description=f"Divide the loss by {number}.",
    )


def _division(program: Program, micro: MicroBatches, backward: Event, loss: Ref) -> tuple[NodeEdit, ...]:
    """``loss`` becomes ``loss / n`` where the name of the number can be read in that place."""
    factor = micro.factor.ref
    if loss.place.frame is not backward.place.frame or factor.place.frame is not backward.place.frame:
        return ()
    if not isinstance(factor.node, _SIMPLE) or not _is_bound_before(factor, backward):
        return ()
    text = program.module.code_for_node(loss.node)
    if not isinstance(loss.node, _CLOSED) and not loss.node.lpar:
        text = f"({text})"
    divided = f"{text} / {program.module.code_for_node(factor.node)}"
    call = backward.call.node
    receiver = isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) and call.func.value is loss.node
    return (NodeEdit("replace", loss.node, f"({divided})" if receiver else divided),)


def _is_bound_before(factor: Ref, backward: Event) -> bool:
    root = factor.node
    while isinstance(root, cst.Attribute):
        root = root.value
    if not isinstance(root, cst.Name):
        return isinstance(root, cst.Integer)
    scope, bindings = lookup(backward.place.block.scope, root.value)
    if scope is None or scope is not backward.place.block.scope:
        return scope is not None
    return any(binding.order < backward.place.order for binding in bindings)


RULE = Rule(
    code="DNN201",
    name="unscaled-accumulation",
    severity=Severity.ERROR,
    clause="S3.2.1b",
    check=check,
    fix=FixSafety.UNSAFE,
)

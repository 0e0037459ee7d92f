"""DNN509: the host waits for the device in every training step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call, mentions
from dnnlint.finding import Severity
from dnnlint.program.residence import Residence
from dnnlint.program.rounds import calls_in_every_round
from dnnlint.program.tree import Repeat
from dnnlint.program.values import Place, Ref
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_SYNCHRONIZE = ("torch.cuda.synchronize", "torch.accelerator.synchronize")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report transfers of single values to the host, and synchronisations, that every training step makes."""
    resolver = program.resolver
    reads = [c for n in ("item", "cpu") for c in resolver.sites_named(n) if isinstance(c.node.func, cst.Attribute)]
    prints = [c for c in resolver.sites_named("print") if not c.chain]
    waits = program.calls_to(*_SYNCHRONIZE)
    if not (reads or prints or waits) or not program.imports("torch"):
        return
    residence: Residence | None = None
    # After the first read of a statement the queue is empty: the others cost little.
    reported: set[int] = set()
    for window in (loop.window for loop in program.training_loops):
        if window is None:
            continue
        for call, _ in calls_in_every_round(program, waits, window):
            yield _report(program, call)
        for call, place in calls_in_every_round(program, [*reads, *prints], window):
            residence = residence or Residence(program)
            if _waits(residence, call, place) and not _is_needed(program, call, window):
                outermost = _outermost(program, call)
                if id(outermost) not in reported:
                    yield _report(program, call)
                reported.add(id(outermost))


def _waits(residence: Residence, call: Call, place: Place) -> bool:
    """Whether a call needs a number that the device has still to compute."""
    func = call.node.func
    if isinstance(func, cst.Attribute):
        return residence.is_on_cuda(Ref(func.value, place))
    return any(residence.is_on_cuda(Ref(part, place)) for entry in call.node.args for part in _printed(entry.value))


def _printed(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The expressions that a print shows, also those of an f-string."""
    if isinstance(node, cst.FormattedString):
        return [part.expression for part in node.parts if isinstance(part, cst.FormattedStringExpression)]
    return [node]


def _is_needed(program: Program, call: Call, loop: Repeat) -> bool:
    """Whether the iteration decides something by the value, or hands it on as more than a number to log."""
    names: list[str] = []
    for assign in program.facts.assigns:
        if not assign.operator and assign.block.within(loop.loop.body) and _holds(assign.value, call.node):
            if not isinstance(assign.target, cst.Name):
                return True
            names.append(assign.target.value)
    for assign in program.facts.assigns:
        if names and not assign.operator and assign.block.within(loop.loop.body) and mentions(assign.value, *names):
            return True
    for branch in program.facts.branches:
        if branch.test is not None and branch.block.within(loop.loop.body) and _uses(branch.test, call, names):
            return True
    for other in program.facts.calls:
        if other is call or not other.block.within(loop.loop.body):
            continue
        goes_on = other.attribute in ("step", "backward") or call.attribute == "cpu"
        if goes_on and other.attribute != "print" and any(_uses(a.value, call, names) for a in other.node.args):
            return True
    return call.attribute == "cpu" and bool(names)


def _outermost(program: Program, call: Call) -> cst.Call:
    """The largest call around a read, evaluated last; the read itself where there is none."""
    block = call.block
    around = [other for other in program.facts.calls if other.block is block and _holds(other.node, call.node)]
    return max(around, key=lambda other: other.order, default=call).node


def _uses(node: cst.CSTNode, call: Call, names: list[str]) -> bool:
    return _holds(node, call.node) or (bool(names) and mentions(node, *names))


def _holds(node: cst.CSTNode, wanted: cst.CSTNode) -> bool:
    return node is wanted or any(_holds(child, wanted) for child in node.children)


def _report(program: Program, call: Call) -> Report:
    return Report(
        call.node,
        f"{quoted(program, call.node)} makes the host wait for the device in every step.",
        "Keep the value on the device with `.detach()`, and read it every so many steps.",
    )


RULE = Rule(
    code="DNN509",
    name="host-sync-in-loop",
    severity=Severity.ADVICE,
    clause="S5.1.1",
    check=check,
)

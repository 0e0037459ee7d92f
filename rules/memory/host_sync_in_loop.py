"""DNN509: the host waits for the device in every training step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Assign, Branch, Call, mentions
from dnnlint.finding import Severity
from dnnlint.program.contents import items_in
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
        around: _Around | None = None
        for call, _ in calls_in_every_round(program, waits, window):
            yield _report(program, call)
        for call, place in calls_in_every_round(program, [*reads, *prints], window):
            residence = residence or Residence(program)
            around = around or _Around(window)
            if _waits(residence, call, place) and not _is_needed(around, call):
                outermost = around.outermost(call)
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


class _Around:
    """What holds each call of a loop: the calls, assignments and tests that its value goes into."""

    def __init__(self, loop: Repeat) -> None:
        self.items = [item for item in items_in(loop.loop.body) if isinstance(item, (Call, Assign, Branch))]
        self._holders: dict[int, list[Call | Assign | Branch]] = {}
        for item in self.items:
            for part in _parts(item):
                for node in _calls_below(part):
                    self._holders.setdefault(id(node), []).append(item)

    def holders(self, call: Call) -> list[Call | Assign | Branch]:
        """The facts that a call is a part of."""
        return self._holders.get(id(call.node), [])

    def outermost(self, call: Call) -> cst.Call:
        """The largest call around a read, evaluated last; the read itself where there is none."""
        calls = [item for item in self.holders(call) if isinstance(item, Call) and item.block is call.block]
        return max(calls, key=lambda other: other.order, default=call).node


def _parts(item: Call | Assign | Branch) -> list[cst.BaseExpression]:
    if isinstance(item, Call):
        return [item.node.func, *(argument.value for argument in item.node.args)]
    if isinstance(item, Assign):
        return [item.value]
    return [item.test] if item.test is not None else []


def _calls_below(node: cst.CSTNode) -> Iterator[cst.Call]:
    if isinstance(node, cst.Call):
        yield node
    for child in node.children:
        yield from _calls_below(child)


def _is_needed(around: _Around, call: Call) -> bool:
    """Whether the iteration decides something by the value, or hands it on as more than a number to log."""
    names: list[str] = []
    holders = around.holders(call)
    for item in holders:
        if isinstance(item, Branch):
            return True
        if isinstance(item, Assign) and not item.operator:
            if not isinstance(item.target, cst.Name):
                return True
            names.append(item.target.value)
        elif isinstance(item, Call) and _takes(item, call):
            return True
    return _is_read(around, call, names) if names else False


def _takes(item: Call, call: Call) -> bool:
    """Whether a call needs more than a number: a step by the value, or anything that gets a whole tensor."""
    goes_on = item.attribute in ("step", "backward") or call.attribute == "cpu"
    return goes_on and item.attribute != "print" and item is not call


def _is_read(around: _Around, call: Call, names: list[str]) -> bool:
    """Whether the loop computes with the name that a value was given."""
    if call.attribute == "cpu":
        return True
    for item in around.items:
        if isinstance(item, Assign) and not item.operator and mentions(item.value, *names):
            return True
        if isinstance(item, Branch) and item.test is not None and mentions(item.test, *names):
            return True
        if isinstance(item, Call) and _takes(item, call) and any(mentions(a.value, *names) for a in item.node.args):
            return True
    return False


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

"""DNN517: an optimizer, scaler or scheduler is made anew for every step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.calling import argument
from dnnlint.program.roles import last_name
from dnnlint.program.rounds import always_runs, is_inside, outlives_round
from dnnlint.program.training import TrainingLoop
from dnnlint.program.tree import Kind, Repeat
from dnnlint.program.values import Const, Items, Member, Ref, Result, Value
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_LOST = {
    "optimizer": "its state, such as moments and step count, is lost at every step",
    "scaler": "its loss scale starts anew at every step",
    "scheduler": "its schedule starts anew at every step",
}


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report optimizers, scalers and schedulers that each iteration of a training loop makes."""
    for loop in program.training_loops:
        window = loop.window
        if window is None or _is_reset(program, window):
            continue
        for role, value in _used(program, loop):
            if _is_rebuilt(program, role, value, window):
                stateless = role == "optimizer" and _is_stateless(program, value)
                yield Report(
                    value.node,
                    f"{quoted(program, value.node)} is made in every iteration: "
                    f"{'the parameter groups are built anew at every step' if stateless else _LOST[role]}.",
                    "Make it once before the loop.",
                    severity=Severity.ADVICE if stateless else Severity.ERROR,
                )


def _used(program: Program, loop: TrainingLoop) -> Iterator[tuple[str, Result]]:
    """The parts that the iteration uses and whose construction is seen."""
    roles = program.roles
    for event in loop.of(Kind.STEP, Kind.SCHEDULE, Kind.BACKWARD, Kind.UPDATE):
        for value in (*event.targets, *event.scaler):
            if isinstance(value, Result) and value.qualified:
                if roles.is_scaler(value):
                    yield "scaler", value
                elif roles.is_scheduler(value):
                    yield "scheduler", value
                elif roles.is_optimizer(value) and last_name(value) != "LBFGS":
                    yield "optimizer", value


def _is_rebuilt(program: Program, role: str, value: Result, loop: Repeat) -> bool:
    if not is_inside(value.place, loop) or not _is_unconditional(value, loop):
        return False
    if role == "scaler":
        return True
    given = value.node.args[0] if value.node.args else None
    if given is None or given.star:
        return False
    owners = _owners(program, Ref(given.value, value.place), role)
    return bool(owners) and all(outlives_round(owner, loop) for owner in owners)


def _owners(program: Program, ref: Ref, role: str) -> list[Value]:
    """What an optimizer changes (a scheduler: what its optimizer changes)."""
    found: list[Value] = []
    for value in program.resolver.resolve(ref):
        if role == "scheduler" and isinstance(value, Result) and value.qualified and value.node.args:
            # A new optimizer takes a new scheduler: that is reported at the optimizer.
            found.append(value)
        elif isinstance(value, Result) and isinstance(value.callee, Member) and "parameters" in value.method:
            found.append(value.callee.base)
        elif isinstance(value, Items):
            found.extend(owner for inner in value.refs for owner in _owners(program, inner, role))
        else:
            found.append(value)
    return found


def _is_unconditional(value: Result, loop: Repeat) -> bool:
    """Whether no branch and no inner loop stands around the construction."""
    place = value.place
    while not place.block.within(loop.loop.body):
        function, caller = place.frame.function, place.frame.caller
        if function is None or caller is None or not always_runs(place.block, function.body):
            return False
        place = caller
    return always_runs(place.block, loop.loop.body)


def _is_reset(program: Program, loop: Repeat) -> bool:
    """Whether each round starts from given weights: every round is a training of its own."""
    calls = program.resolver.sites_named("load_state_dict") + program.resolver.sites_named("reset_parameters")
    return any(call.block.within(loop.loop.body) for call in calls)


def _is_stateless(program: Program, value: Result) -> bool:
    """Plain SGD remembers nothing from step to step."""
    if last_name(value) != "SGD" or any(entry.star for entry in value.node.args):
        return False
    momentum = argument(program.resolver, value.node, value.place, "momentum", 2)
    return momentum is None or program.resolver.resolve(momentum) in ((Const(0),), (Const(0.0),))


RULE = Rule(
    code="DNN517",
    name="optimizer-rebuilt-in-loop",
    severity=Severity.ERROR,
    clause="S5.1.1",
    check=check,
)

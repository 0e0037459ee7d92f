"""The explanation of a training loop: what makes gradients, scales, clips, steps and schedules in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Assign
from dnnlint.program.calling import argument
from dnnlint.program.clips import limit_of, limits_anything
from dnnlint.program.explain_places import NOT_GIVEN, distinct
from dnnlint.program.explain_records import (
    AccumulationRecord,
    AutocastRecord,
    ClipRecord,
    LoopRecord,
    OptimizerRecord,
    Quantity,
    ScalerRecord,
    SchedulerRecord,
    Spot,
)
from dnnlint.program.precision import Autocast, autocasts, scaler_enabled
from dnnlint.program.roles import last_name, site
from dnnlint.program.tree import Activation, Event, Kind, Node, Repeat, ancestors, contexts_around, events
from dnnlint.program.values import Object, Ref, Result, Value

if TYPE_CHECKING:
    from dnnlint.program.explain_places import Describer
    from dnnlint.program.training import TrainingLoop

_ON = Quantity("", "not given, so True", (True,))


def explain_loop(d: Describer, loop: TrainingLoop) -> LoopRecord:
    """What one training loop does."""
    at, kind, header = header_of(d, loop.window or loop.body.parent or loop.body)
    return LoopRecord(
        at,
        kind,
        header,
        tuple(d.spot(outer.loop.node, outer.place.block) for outer in loop.outer),
        tuple(d.action(event) for event in distinct(loop.backwards)),
        tuple(d.action(event) for event in distinct(loop.steps)),
        tuple(d.action(event) for event in distinct(_around(loop, Kind.ZERO_GRAD))),
        _optimizers(d, loop),
        _scalers(d, loop),
        _autocasts(d, loop),
        _accumulation(d, loop),
        tuple(_clip(d, event) for event in distinct(loop.of(Kind.CLIP))),
        _schedulers(d, loop),
        _number_of_paths(loop),
    )


def header_of(d: Describer, node: Node) -> tuple[Spot, str, str]:
    """Line, kind and header of the loop, or of the function where no loop is seen."""
    if isinstance(node, Repeat):
        loop = node.loop
        spot = d.spot(loop.node, node.place.block)
        if loop.iterable is not None and loop.target is not None:
            return spot, "for", f"for {d.code(loop.target)} in {d.code(loop.iterable)}"
        return spot, "while", f"while {d.code(loop.test)}" if loop.test is not None else "while"
    if isinstance(node, Activation):
        return d.spot(node.function.node, node.function.place), "function", f"{node.function.name}()"
    raise TypeError(f"no loop and no function: {type(node).__name__}")


def _around(loop: TrainingLoop, kind: str) -> list[Event]:
    """The events of a kind in the iteration and in the loops around it."""
    return events(loop.outer[-1] if loop.outer else loop.window or loop.body, kind)


def _made(d: Describer, value: Value) -> tuple[str, Spot | None]:
    """The class of an object and the line that makes it, where both are seen."""
    if isinstance(value, Result) and value.qualified:
        return value.qualified, d.spot(value.node, value.place.block)
    if isinstance(value, Object):
        node = value.node
        return value.cls.name, d.spot(node, value.place.block) if node is not None else None
    return "", None


def _optimizers(d: Describer, loop: TrainingLoop) -> tuple[OptimizerRecord, ...]:
    found: dict[object, OptimizerRecord] = {}
    for step in loop.steps:
        for value in step.targets:
            name, at = _made(d, value)
            found.setdefault(site(value), OptimizerRecord(_expression(d, step), name, at, _learning_rate(d, value)))
    return tuple(found.values())


def _expression(d: Describer, step: Event) -> str:
    """What is stepped, as the code names it."""
    node = step.call.node
    if not isinstance(node, cst.Call):
        return ""
    if step.how == "scaler" and node.args:
        return d.code(node.args[0].value)
    return d.code(node.func.value) if isinstance(node.func, cst.Attribute) else d.code(node.func)


def _learning_rate(d: Describer, value: Value) -> Quantity | None:
    if not isinstance(value, Result) or not value.qualified:
        return None
    for name, position in (("lr", 1), ("learning_rate", -1)):
        ref = argument(d.program.resolver, value.node, value.place, name, position)
        if ref is not None:
            return d.quantity("learning rate", ref)
    return Quantity("", f"not given: the default of `{last_name(value)}`")


def _scalers(d: Describer, loop: TrainingLoop) -> tuple[ScalerRecord, ...]:
    found: dict[object, ScalerRecord] = {}
    for event in loop.of(Kind.BACKWARD, Kind.STEP, Kind.UNSCALE, Kind.UPDATE):
        for value in event.scaler:
            if site(value) in found or not d.program.roles.is_scaler(value):
                continue
            _, switch = scaler_enabled(d.program.resolver, value)
            enabled = d.quantity("scaler enabled", switch) if switch is not None else _ON
            found[site(value)] = ScalerRecord(*_made(d, value), enabled)
    return tuple(found.values())


def _autocasts(d: Describer, loop: TrainingLoop) -> tuple[AutocastRecord, ...]:
    seen: set[tuple[int, int]] = set()
    found: dict[int, Autocast] = {}
    for event in loop.of(Kind.FORWARD, Kind.BACKWARD):
        contexts = [c for c in contexts_around(event) if (id(c.node), id(c.place.frame)) not in seen]
        seen.update((id(c.node), id(c.place.frame)) for c in contexts)
        for autocast in autocasts(d.program.resolver, contexts):
            found.setdefault(id(autocast.value.node), autocast)
    return tuple(_autocast(d, autocast) for autocast in found.values())


def _autocast(d: Describer, autocast: Autocast) -> AutocastRecord:
    enabled = d.quantity("autocast enabled", autocast.enabled_ref) if autocast.enabled_ref is not None else _ON
    at = d.spot(autocast.value.node, autocast.value.place.block)
    return AutocastRecord(at, tuple(sorted(autocast.dtypes)), tuple(sorted(autocast.devices)), enabled)


def _accumulation(d: Describer, loop: TrainingLoop) -> AccumulationRecord | None:
    found = loop.accumulation
    if found is None:
        return None
    factor = d.quantity("accumulation factor", found.factor) if found.factor is not None else None
    if found.fork is not None and found.fork.branch.test is not None:
        branch = found.fork.branch
        test = _window_test(d, loop, Ref(found.fork.branch.test, found.fork.place))
        return AccumulationRecord(found.kind, factor, test, d.spot(branch.node, found.fork.place.block))
    at = d.spot(found.repeat.loop.node, found.repeat.place.block) if found.repeat is not None else None
    return AccumulationRecord(found.kind, factor, "", at)


def _window_test(d: Describer, loop: TrainingLoop, test: Ref) -> str:
    """The test as written; where it is a name, also what the name stands for."""
    text = d.code(test.node)
    inner = test.node.expression if isinstance(test.node, cst.UnaryOperation) else test.node
    found = loop.conditions.bindings(Ref(inner, test.place)) if isinstance(inner, (cst.Name, cst.Attribute)) else ()
    value = found[0][0].value if len(found) == 1 else None
    return f"{text}, with {d.code(inner)} = {d.code(value)}" if isinstance(value, cst.BaseExpression) else text


def _clip(d: Describer, event: Event) -> ClipRecord:
    limit = limit_of(d.program.resolver, event) if event.how != "manual" else None
    node = event.call.node.func if isinstance(event.call.node, cst.Call) else event.call.node
    if limit is not None:
        quantity: Quantity | None = d.quantity("clip limit", limit)
    else:
        quantity = None if isinstance(event.call, Assign) or event.how == "manual" else NOT_GIVEN
    at = d.spot(event.call.node, event.place.block)
    return ClipRecord(at, d.code(node), quantity, limits_anything(d.program.resolver, event))


def _schedulers(d: Describer, loop: TrainingLoop) -> tuple[SchedulerRecord, ...]:
    stepped: dict[object, tuple[Value, list[Event]]] = {}
    for event in distinct(_around(loop, Kind.SCHEDULE)):
        for value in event.targets:
            stepped.setdefault(site(value), (value, []))[1].append(event)
    found = []
    for value, calls in stepped.values():
        spots = tuple(d.spot(event.call.node, event.place.block) for event in calls)
        inside = any(outer is loop.body for event in calls for outer in ancestors(event))
        found.append(SchedulerRecord(*_made(d, value), spots, inside))
    return tuple(found)


def _number_of_paths(loop: TrainingLoop) -> int | None:
    count = len(loop.paths)
    return None if loop.has_too_many_paths else count

"""DNN507: a model is evaluated in training mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.evaluations import Evaluation, evaluations, leaves_models_alone
from dnnlint.program.grad_mode import GradMode
from dnnlint.program.layers import depends_on_mode
from dnnlint.program.tree import Activation, Event, Kind, ancestors, contexts_around, events
from dnnlint.program.unknown_calls import is_library
from dnnlint.program.values import FunctionValue, Result, Value
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the first forward pass of each evaluation that no eval() precedes."""
    if not program.imports("torch") or not program.training_loops:
        return
    mode = GradMode(program)
    seen: set[int] = set()
    for found in evaluations(program):
        forward = found.forward
        if found.switched is not None or found.in_module or id(found.region) in seen or id(forward.call) in seen:
            continue
        layers = depends_on_mode(program, forward.targets)
        if layers is not False and not _may_be_switched(program, mode, found):
            seen |= {id(found.region), id(forward.call)}
            yield _report(program, forward, layers)


def _may_be_switched(program: Program, mode: GradMode, found: Evaluation) -> bool:
    """Whether something the file does not show may put the model into evaluation mode."""
    forward = found.forward
    if mode.in_hook_of_framework(forward) or mode.uses_gradients(forward):
        return True
    contexts = [v for ref in contexts_around(forward) for v in program.resolver.resolve(ref)]
    if any(not is_library(value) or _switches(program, value) for value in contexts):
        return True
    if any(not leaves_models_alone(event) for event in events(found.region, Kind.OPAQUE)):
        return True
    return _is_called_from_elsewhere(forward)


def _switches(program: Program, value: Value) -> bool:
    """Whether a decorator or context manager of the file calls eval() or train()."""
    made = value.callee if isinstance(value, Result) else value
    if not isinstance(made, FunctionValue):
        return False
    calls = [*program.resolver.sites_named("eval"), *program.resolver.sites_named("train")]
    bodies = (made.function.body, *([made.function.parent.body] if made.function.parent is not None else ()))
    return any(call.block.within(body) for call in calls for body in bodies)


def _is_called_from_elsewhere(forward: Event) -> bool:
    """Whether the evaluation is a function that this file never calls: its caller may switch."""
    outer = next((node for node in ancestors(forward) if isinstance(node, Activation)), None)
    return outer is not None and outer.parent is None and not events(outer, Kind.BACKWARD)


def _report(program: Program, forward: Event, layers: bool | None) -> Report:
    has = "has" if layers else "may have"
    return Report(
        forward.call.node,
        f"{quoted(program, forward.call.node)} evaluates in training mode: no `eval()` precedes it, and the model "
        f"{has} dropout or batch norm.",
        "Call `model.eval()` before the evaluation and `model.train()` after it.",
    )


RULE = Rule(
    code="DNN507",
    name="evaluation-mode-missing",
    severity=Severity.WARNING,
    clause="S5.1.1",
    check=check,
)

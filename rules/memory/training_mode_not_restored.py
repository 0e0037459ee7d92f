"""DNN508: from the second round on a model is trained in evaluation mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.evaluations import leaves_models_alone, model_sites, models_trained_by
from dnnlint.program.layers import depends_on_mode
from dnnlint.program.tree import Event, Kind, Repeat, ancestors, events, inside, loops_around
from dnnlint.program.values import Object
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report eval() in a loop that trains the model and never switches it back."""
    if not program.resolver.sites_named("eval") and not program.resolver.sites_named("train"):
        return
    for training in program.training_loops:
        for forward in _training_forwards(program, training):
            found = _stale_switch(program, forward)
            if found is None or depends_on_mode(program, forward.targets) is False:
                continue
            switch, loop = found
            yield _report(program, forward, switch, _train_before(program, forward, loop))


def _training_forwards(program: Program, training: TrainingLoop) -> list[Event]:
    """The forward passes of an iteration up to its last backward, without those of models that nothing trains."""
    trained = {model for step in training.steps for model in models_trained_by(program, step.targets)}
    order = training.of(Kind.FORWARD, Kind.BACKWARD)
    last = max((i for i, event in enumerate(order) if event.kind == Kind.BACKWARD), default=0)
    forwards = [event for event in order[:last] if event.kind == Kind.FORWARD]
    return [event for event in forwards if not trained or model_sites(program, event.targets) & trained]


def _stale_switch(program: Program, forward: Event) -> tuple[Event, Repeat] | None:
    """The eval() that is in force when a loop comes back to a training forward pass, with that loop."""
    for loop in loops_around(forward):
        order = [e for e in events(loop.body) if _concerns(program, e, forward)]
        at = order.index(forward)
        # A switch earlier in the same round, to either mode, is what the author wants to train in.
        if any(event.kind != Kind.FORWARD for event in order[:at]):
            return None
        later = [event for event in order[at + 1 :] if event.kind != Kind.FORWARD]
        if later:
            return (later[-1], loop) if later[-1].kind == Kind.EVAL_MODE else None
    return None


def _concerns(program: Program, event: Event, forward: Event) -> bool:
    """Whether an event is the forward pass itself, a mode switch of its model, or may be one."""
    if event is forward:
        return True
    if event.kind == Kind.OPAQUE:
        return not leaves_models_alone(event)
    if event.kind not in (Kind.TRAIN_MODE, Kind.EVAL_MODE):
        return False
    if event.kind == Kind.TRAIN_MODE and any(isinstance(owner, Object) for owner in event.targets):
        # ``self.train()`` switches every network that the object holds.
        return True
    if event.kind == Kind.TRAIN_MODE and program.roles.any_of(event.targets, "engine"):
        return True  # the engine switches the network that it wraps
    return bool(model_sites(program, event.targets) & model_sites(program, forward.targets))


def _train_before(program: Program, forward: Event, loop: Repeat) -> Event | None:
    """The last train() of the same model before the loop."""
    root = list(ancestors(loop))[-1]
    found = None
    for event in events(root, Kind.TRAIN_MODE):
        if inside(event, loop):
            break
        if _concerns(program, event, forward):
            found = event
    return found


def _report(program: Program, forward: Event, switch: Event, before: Event | None) -> Report:
    switched = quoted(program, switch.call.node)
    if before is None:
        order = f"{switched} runs in the loop and no `train()` after it"
    else:
        order = f"{quoted(program, before.call.node)} runs once before the loop and {switched} inside it"
    message = f"{order}: from the second round on {quoted(program, forward.call.node)} trains in evaluation mode."
    return Report((before or switch).call.node, message, "Call `train()` at the start of each training round.")


RULE = Rule(
    code="DNN508",
    name="training-mode-not-restored",
    severity=Severity.ERROR,
    clause="S5.1.1",
    check=check,
)

"""DNN301: a training loop that steps an optimizer and never clips the gradients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.clips import limits_anything
from dnnlint.program.lightning import (
    fitted_trainers,
    is_off,
    may_be_configured_elsewhere,
    option,
    writes_clip,
)
from dnnlint.program.roles import last_name
from dnnlint.program.tree import Event, Kind
from dnnlint.program.values import Const, FunctionValue, Items, Object, Place, Ref, Result, Value
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings
from dnnlint.rules.clipping._insertion import insertion, model_text

if TYPE_CHECKING:
    from dnnlint.facts import Function
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

_HELP = "Call `torch.nn.utils.clip_grad_norm_({}, max_norm=1.0)` after `backward()` and before `step()`."
_TRAINER_HELP = "Pass `gradient_clip_val=1.0`."
# They limit their update themselves by default, or lose their curvature estimate when gradients are changed.
_LIMITING = frozenset(
    "Adafactor LAMB Lamb FusedLAMB FusedMixedPrecisionLamb LARS Lars Adan LBFGS Rprop ClippedAdam DPOptimizer".split()
)
_LIMITING_OPTIONS = ("clip", "max_grad_norm", "max_norm")
# Imports that hand the loop to DeepSpeed or Megatron behind accelerate.
_CONFIGURED = ("DeepSpeed", "deepspeed", "MegatronLM", "DummyOptim")
_HOOKS = ("register_hook", "register_post_accumulate_grad_hook", "register_full_backward_hook")
_HOOK_CLIPS = frozenset("clamp clamp_ clip clip_ clip_grad_norm_ clip_grad_value_ mul mul_ minimum tanh where".split())


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each unclipped training loop once, at its first step, and each trainer of Lightning told not to clip."""
    yield from _trainers(program)
    loops = [loop for loop in program.training_loops if loop.steps]
    if not loops or program.imports("opacus") or _hooks_may_clip(program):
        return
    clipped = {id(step.call.node) for loop in loops if _may_clip(program, loop) for step in loop.steps}
    seen: set[int] = set(clipped)
    for loop in loops:
        steps = [step for step in loop.steps if id(step.call.node) not in seen]
        if not steps or any(id(step.call.node) in clipped for step in loop.steps):
            continue
        seen.update(id(step.call.node) for step in steps)
        edits = tuple(edit for step in steps for edit in insertion(program, loop, step))
        complete = all(insertion(program, loop, step) for step in steps)
        node = steps[0].call.node
        message = f"{quoted(program, node, 50)} applies gradients that nothing clips in this loop."
        advice = _HELP.format(model_text(program, steps[0]) or "model.parameters()")
        yield Report(
            node, message, advice, edits=edits if complete else (), fix_description="Clip the gradient norm at 1.0."
        )


def _trainers(program: Program) -> Iterator[Report]:
    trainers = fitted_trainers(program)
    if not trainers or writes_clip(program):
        return
    for trainer in trainers:
        if is_off(option(program, trainer, "gradient_clip_val")) and not may_be_configured_elsewhere(program, trainer):
            text = quoted(program, trainer.node, 50)
            yield Report(trainer.node, f"{text} clips no gradients: `gradient_clip_val` is not set.", _TRAINER_HELP)


def _may_clip(program: Program, loop: TrainingLoop) -> bool:
    """Whether some iteration clips, or does something unknown between backward and step."""
    if any(event.how == "engine" for event in (*loop.backwards, *loop.steps)):
        return True
    if any(_is_configured_elsewhere(program, backward) for backward in loop.backwards):
        return True
    if any(_limits_itself(program, value) for step in loop.steps for value in step.targets):
        return True
    ways = [path.events for path in loop.paths] or [tuple(loop.of())]
    return any(_clips(program, events) for events in ways)


def _is_configured_elsewhere(program: Program, backward: Event) -> bool:
    """Whether accelerate was given DeepSpeed or Megatron, whose configuration may clip."""
    if backward.how != "accelerator":
        return False
    return any(part in name for name, _ in program.facts.imports for part in _CONFIGURED)


def _clips(program: Program, events: tuple[Event, ...]) -> bool:
    """Whether a way through the iteration clips, or something unknown has the gradients before their step."""
    pending = False
    found = False
    for event in events:
        if event.kind in (Kind.BACKWARD, Kind.STEP):
            pending = event.kind == Kind.BACKWARD
            continue
        found = found or (event.kind == Kind.OPAQUE and (pending or _is_told_to_clip(program, event)))
        found = found or (event.kind == Kind.CLIP and limits_anything(program.resolver, event))
    return found


def _is_told_to_clip(program: Program, event: Event) -> bool:
    """``loss_scaler(loss, optimizer, clip_grad=limit)`` of another file, on another branch of the loop."""
    return isinstance(event.call, Call) and bool(_has_limit(program, event.call.node, event.place))


def _has_limit(program: Program, call: cst.Call, place: Place) -> bool | None:
    """Whether an argument named like a limit of gradients may be one; None where there is no such argument."""
    for entry in call.args:
        if entry.keyword is not None and any(part in entry.keyword.value for part in _LIMITING_OPTIONS):
            given = program.resolver.resolve(Ref(entry.value, place))
            return not all(isinstance(value, Const) and not value.value for value in given)
    return None


def _limits_itself(program: Program, optimizer: Value) -> bool:
    """Whether an optimizer limits its updates, or holds tensors that are no weights of a network."""
    if isinstance(optimizer, Object):
        methods = optimizer.cls.methods.values()
        return any("clip" in call.attribute or "clamp" in call.attribute for call in _calls_in(program, methods))
    if not isinstance(optimizer, Result):
        return False
    if last_name(optimizer) in _LIMITING:
        return True
    limit = _has_limit(program, optimizer.node, optimizer.place)
    return _holds_plain_tensors(program, optimizer) if limit is None else limit


def _holds_plain_tensors(program: Program, optimizer: Result) -> bool:
    """``Adam([image])``: an image, a latent or a temperature is optimised, not a network."""
    if not optimizer.node.args:
        return False
    given = program.resolver.resolve(Ref(optimizer.node.args[0].value, optimizer.place))
    return bool(given) and all(
        isinstance(value, Items) and bool(value.refs) and all(isinstance(r.node, cst.Name) for r in value.refs)
        for value in given
    )


def _hooks_may_clip(program: Program) -> bool:
    """Whether gradient hooks are registered that clip or whose code is not known."""
    for name in _HOOKS:
        for call in program.resolver.sites_named(name):
            first = call.node.args[0].value if call.node.args else None
            for value in program.resolve(first, call) if first is not None else ():
                if not isinstance(value, FunctionValue):
                    return True
                if any(c.attribute in _HOOK_CLIPS for c in _calls_in(program, [value.function])):
                    return True
    return False


def _calls_in(program: Program, functions: Iterable[Function]) -> Iterator[Call]:
    wanted = {id(function) for function in functions}
    return (call for call in program.facts.calls if id(call.block.function) in wanted)


RULE = Rule("DNN301", "no-gradient-clipping", Severity.WARNING, "S4.2.1b", check, FixSafety.UNSAFE)

"""DNN304: an option that limits gradients and does not reach the optimizer step, or not on every branch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from dnnlint.facts import Assign, mentions
from dnnlint.finding import Severity
from dnnlint.program.calling import argument
from dnnlint.program.clips import limit_of
from dnnlint.program.ingredients import ingredients
from dnnlint.program.paths import has
from dnnlint.program.roles import site
from dnnlint.program.tree import Event, Kind
from dnnlint.program.unread_options import unread_options
from dnnlint.program.values import Const, Opaque, Ref, Setting, Values
from dnnlint.program.wording import option_name, quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from collections.abc import Hashable

    from dnnlint.facts import Call, Function
    from dnnlint.program import Program
    from dnnlint.program.paths import Path
    from dnnlint.program.training import TrainingLoop

# Names that say "limit of the gradients" by themselves; WGAN clips weights and PPO ratios, video clips have lengths.
_NAME = re.compile(r"clip_?grad|grads?_?clip|gradients?_?clip|clip_gradients?|max_grad_norm|grad_norm_clip|clip_?norm$")
# Names that say so where their help speaks of gradients.
_SHORT = frozenset({"clip", "max_norm", "clip_value", "clipping"})
_KEYWORDS = re.compile(r"clip_?grad|grad_?clip|max_grad_norm|max_norm|clip_norm|clip_gradient")


class _Carrier(NamedTuple):
    """A call that takes the limit: a clip, or a call of another file that may clip."""

    event: Event
    limit: Ref
    options: frozenset[Hashable]


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report unread options and parameters, then steps on branches that the option does not reach."""
    loops = [loop for loop in program.training_loops if loop.steps]
    if not loops:
        return
    for option in unread_options(program, _is_limit):
        message = f"The option `{option.name}` is parsed and never read: the gradients are stepped on as they are."
        yield Report(option.node, message, "Clip the gradients with the option before the step, or remove it.")
    for function in program.facts.functions:
        yield from _unread_parameters(program, loops, function)
    for loop in loops:
        yield from _ignoring_branches(program, loop)


def _is_limit(name: str, declared: cst.Call | None) -> bool:
    if _NAME.search(name.lower()):
        return True
    return name.lower() in _SHORT and declared is not None and "gradient" in _help(declared)


def _help(declared: cst.Call) -> str:
    texts = [a.value for a in declared.args if a.keyword is not None and a.keyword.value == "help"]
    literals = [str(t.evaluated_value) for t in texts if isinstance(t, (cst.SimpleString, cst.ConcatenatedString))]
    return " ".join(literals).lower()


def _unread_parameters(program: Program, loops: list[TrainingLoop], function: Function) -> Iterator[Report]:
    """A parameter for the limit that a training function takes and does not read, where a caller passes one."""
    if function.name == "<lambda>" or (function.owner is not None and function.owner.bases):
        return
    for index, parameter in enumerate(function.parameters):
        if not _NAME.search(parameter.name.lower()) or mentions(function.node.body, parameter.name, "locals"):
            continue
        own = [step for loop in loops for step in loop.steps if step.call.block.within(function.body)]
        passed = _passed(program, function, parameter.name, index - (function.owner is not None)) if own else None
        if passed is not None:
            limit, reader = quoted(program, passed.node), f"`{function.name}` does not read `{parameter.name}`"
            message = f"The limit {limit} has no effect: {reader}."
            yield Report(passed.node, message, "Clip the gradients with it before the step.")


def _passed(program: Program, function: Function, name: str, position: int) -> Ref | None:
    for call in program.resolver.sites_named(function.name):
        given = program.argument(call, name, position)
        if given is not None and any(_is_set(v) for v in program.resolver.resolve(given)):
            return given
    return None


def _is_set(value: object) -> bool:
    return isinstance(value, Setting) or (isinstance(value, Const) and isinstance(value.value, (int, float)))


def _ignoring_branches(program: Program, loop: TrainingLoop) -> Iterator[Report]:
    carriers = list(_carriers(program, loop))
    for path in loop.paths if carriers else ():
        step = _unclipped_step(path)
        if step is None:
            continue
        for carrier in carriers:
            others = [other for other in loop.paths if carrier.event in other.events]
            if _belongs_together(step, carrier, others) and not _asks_for(program, path, carrier):
                values = program.resolver.resolve(carrier.limit)
                option = option_name(values) or quoted(program, carrier.limit.node)
                call = quoted(program, step.call.node, 40)
                message = f"{call} steps on gradients that {option} does not limit: it is used on another branch only."
                yield Report(step.call.node, message, "Clip the gradients with the same option on this branch.")


def _carriers(program: Program, loop: TrainingLoop) -> Iterator[_Carrier]:
    for event in loop.of(Kind.CLIP, Kind.OPAQUE):
        limit = limit_of(program.resolver, event) if event.kind == Kind.CLIP else _limit_keyword(program, event.call)
        values: Values = program.resolver.resolve(limit) if limit is not None else ()
        options = frozenset(site(v) for v in values if isinstance(v, (Setting, Opaque)))
        if limit is not None and options:
            yield _Carrier(event, limit, options)


def _limit_keyword(program: Program, call: Call | Assign) -> Ref | None:
    """``clip_grad=...`` of a callable from another file."""
    if isinstance(call, Assign):
        return None
    names = [entry.keyword.value for entry in call.node.args if entry.keyword is not None]
    name = next((name for name in names if _KEYWORDS.search(name)), None)
    return argument(program.resolver, call.node, program.place_of(call), name) if name is not None else None


def _unclipped_step(path: Path) -> Event | None:
    """The plain step of a path that makes gradients and meets nothing that may clip them."""
    if not has(path, Kind.BACKWARD) or has(path, Kind.CLIP, Kind.OPAQUE):
        return None
    steps = [step for step in path.of(Kind.STEP) if step.how in ("plain", "scaler")]
    # A closure makes its gradients anew inside the step.
    plain = [s for s in steps if s.how == "scaler" or (isinstance(s.call.node, cst.Call) and not s.call.node.args)]
    return plain[0] if plain and len(plain) == len(path.of(Kind.STEP)) else None


def _belongs_together(step: Event, carrier: _Carrier, others: list[Path]) -> bool:
    """Whether a step and a clip are alternatives for one optimizer, each with a step of its own."""
    beside = [other for path in others for other in path.of(Kind.STEP)]
    if not others or any(other.call is step.call for other in beside):
        return False
    near = {site(value) for other in beside for value in other.targets}
    near |= {site(value) for value in carrier.event.targets} if carrier.event.kind == Kind.OPAQUE else set()
    return bool(near & {site(value) for value in step.targets})


def _asks_for(program: Program, path: Path, carrier: _Carrier) -> bool:
    """Whether a branch on the path asks for the option: ``if args.clip_grad is not None``."""
    tests = [fork.test for fork, _ in path.taken if fork.test is not None]
    named = (cst.Name, cst.Attribute, cst.Subscript)
    parts = (part for test in tests for part in ingredients(program, test) if isinstance(part.node, named))
    return any(carrier.options & {site(value) for value in program.resolver.resolve(part)} for part in parts)


RULE = Rule("DNN304", "clip-option-ignored", Severity.ERROR, "S4.2.1b", check)

"""DNN105: weights cast to float16 and trained by an optimizer that has no float32 copy of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from dnnlint.facts import BlockKind, Branch
from dnnlint.finding import Severity
from dnnlint.program.calling import arguments_of
from dnnlint.program.clips import owner_of_parameters
from dnnlint.program.evaluations import model_sites
from dnnlint.program.lookups import call_sites
from dnnlint.program.roles import last_name
from dnnlint.program.tree import Activation, Event, Repeat, ancestors
from dnnlint.program.values import Const, External, Ref, Result, Value
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.facts import Call
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

_HELP = "Keep the weights in float32 and compute under `torch.autocast`, or use bfloat16 weights with a float32 copy."
_HALF = ("torch.float16", "torch.half")
_HALF_TEXTS = {"float16", "half"}
_DTYPE_NAMES = ("torch_dtype", "dtype")
_MAX_DEPTH = 3
# They keep float32 weights themselves.
_MASTER = ("master_weights", "FP16_Optimizer", "FP16Optimizer", "use_master_weights")


class _Cast(NamedTuple):
    call: Call
    models: frozenset[Hashable]


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each cast of a model whose parameters an optimizer then steps."""
    casts = [cast for cast in _casts(program) if cast.models and not _is_dead(program, cast.call)]
    if not casts:
        return
    widened = _widened_again(program)
    for loop in program.training_loops:
        for step in loop.steps:
            trained = _trained(program, step)
            for cast in casts:
                if not cast.models & trained or cast.models & widened:
                    continue
                if _comes_before(program, cast.call, loop, step):
                    text = quoted(program, cast.call.node, 50)
                    where = quoted(program, step.call.node, 40)
                    yield Report(cast.call.node, f"{text} makes the weights float16, and {where} trains them.", _HELP)


def _casts(program: Program) -> Iterator[_Cast]:
    """``model.half()``, ``model.to(torch.float16)``, ``from_pretrained(..., torch_dtype=torch.float16)``."""
    for call in program.resolver.sites_named("half"):
        if isinstance(call.node.func, cst.Attribute) and not call.node.args:
            yield _Cast(call, _sites(program, call.node.func.value, call))
    for call in program.resolver.sites_named("to"):
        if isinstance(call.node.func, cst.Attribute) and _names_half(program, call):
            yield _Cast(call, _sites(program, call.node.func.value, call))
    for call in program.resolver.sites_named("from_pretrained"):
        given = [ref for name in _DTYPE_NAMES if (ref := program.argument(call, name)) is not None]
        if any(_names_half_type(program.resolver.resolve(ref)) for ref in given):
            yield _Cast(call, frozenset({("result", id(call.node))}))


def _names_half(program: Program, call: Call) -> bool:
    refs = arguments_of(program.resolver, call.node, program.place_of(call))
    return any(ref is not None and _is_half(program.resolver.resolve(ref)) for _, ref in refs)


def _is_half(values: tuple[Value, ...]) -> bool:
    return bool(values) and all(isinstance(v, External) and v.qualified in _HALF for v in values)


def _names_half_type(values: tuple[Value, ...]) -> bool:
    """Also as a string, which `from_pretrained` takes for the attribute of torch with that name."""
    texts = [v.value for v in values if isinstance(v, Const) and isinstance(v.value, str)]
    return _is_half(values) or (bool(texts) and len(texts) == len(values) and set(texts) <= _HALF_TEXTS)


def _sites(program: Program, node: cst.BaseExpression, call: Call) -> frozenset[Hashable]:
    return model_sites(program, program.resolve(node, call))


def _is_dead(program: Program, call: Call) -> bool:
    """Whether a branch around a cast is known not to run."""
    block = call.block
    while block.kind not in (BlockKind.FUNCTION, BlockKind.MODULE) and block.parent is not None:
        owner = block.owner
        if isinstance(owner, Branch) and owner.test is not None:
            place = program.place_of(owner)
            if program.resolver.truth(Ref(owner.test, place)) is (block is not owner.then):
                return True
        block = block.parent
    return False


def _widened_again(program: Program) -> set[Hashable]:
    """The models that the file casts back: half precision was for an evaluation or an export."""
    calls = [call for call in program.resolver.sites_named("float") if isinstance(call.node.func, cst.Attribute)]
    return {
        found
        for call in calls
        if isinstance(call.node.func, cst.Attribute)
        for found in _sites(program, call.node.func.value, call)
    }


def _trained(program: Program, step: Event) -> frozenset[Hashable]:
    """The models all of whose parameters the optimizer of a step was given."""
    found: set[Hashable] = set()
    for made in step.targets if step.how in ("plain", "scaler") else ():
        if not isinstance(made, Result) or not made.node.args or _has_master_weights(program, made):
            continue
        model = owner_of_parameters(made.node.args[0].value)
        if model is not None:
            found |= model_sites(program, program.resolver.resolve(Ref(model, made.place)))
    return frozenset(found)


def _has_master_weights(program: Program, made: Result) -> bool:
    if last_name(made) in _MASTER:
        return True
    for entry in made.node.args:
        if entry.keyword is not None and entry.keyword.value in _MASTER:
            return program.resolver.resolve(Ref(entry.value, made.place)) != (Const(False),)
    return False


def _comes_before(program: Program, cast: Call, loop: TrainingLoop, step: Event, depth: int = 0) -> bool:
    """Whether a cast runs before the training: earlier on the way to it, in a constructor or in a builder."""
    function = cast.block.function
    if loop.window is not None and cast.block.within(loop.window.loop.body):
        return False
    for outer in ancestors(step):
        if isinstance(outer, Repeat) and outer.loop.block.function is function:
            return cast.order < outer.loop.order or cast.block.within(outer.loop.body)
        if isinstance(outer, Activation) and outer.call is not None and outer.call.block.function is function:
            return cast.order < outer.call.order
    if step.call.block.function is function:
        return cast.order < step.call.order
    if function is None:
        return False
    if function.name == "__init__" and _is_own_class(cast, step):
        return True
    callers = call_sites(program.resolver, function) if depth < _MAX_DEPTH else []
    return any(_comes_before(program, call, loop, step, depth + 1) for call in callers)


def _is_own_class(cast: Call, step: Event) -> bool:
    function, other = cast.block.function, step.call.block.function
    while other is not None and other.owner is None:
        other = other.parent
    return function is not None and other is not None and function.owner is other.owner


RULE = Rule("DNN105", "half-precision-weights", Severity.ERROR, "S3.2.2a", check)

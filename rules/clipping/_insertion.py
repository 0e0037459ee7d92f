"""The edits that insert a clip in front of an optimizer step."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import BindingKind, Call, dotted, lookup
from dnnlint.program.attributes import object_member
from dnnlint.program.calling import is_static
from dnnlint.program.clips import owner_of_parameters
from dnnlint.program.libraries import SHARDED
from dnnlint.program.roles import WRAPPER_NAMES, last_name
from dnnlint.program.tree import Event, Kind
from dnnlint.program.values import Object, Operation, Place, Ref, Result, Value
from dnnlint.rule import NodeEdit

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

_MAX_NORM = "max_norm=1.0"


def insertion(program: Program, loop: TrainingLoop, step: Event) -> tuple[NodeEdit, ...]:
    """A clip (with ``unscale_`` where a scaler needs it) on the line before a step; empty where none is certain.

    The step has to follow its backward in the same iteration, and to be a statement without a closure.
    """
    call = step.call
    if not isinstance(call, Call) or not _follows_backward(loop, step):
        return ()
    optimizer = _optimizer_text(step, call)
    if not optimizer or "GradScaler" in optimizer:
        return ()
    lines = _unscale(loop, step, call, optimizer)
    clip = _framework_clip(program, loop, step, optimizer) or _plain_clip(program, step, optimizer)
    if not clip:
        return ()
    return (NodeEdit("line-before", call.node, "\n".join((*lines, *clip))),)


def _follows_backward(loop: TrainingLoop, step: Event) -> bool:
    """On every way to the step a backward comes first, and nothing else has stepped since."""
    ways = [path for path in loop.paths if step in path.events]
    for path in ways:
        before = [e.kind for e in path.events[: path.index(step)] if e.kind in (Kind.BACKWARD, Kind.STEP)]
        if Kind.BACKWARD not in before:
            return False
    return bool(ways)


def _optimizer_text(step: Event, call: Call) -> str:
    if step.how == "scaler":
        return dotted(call.node.args[0].value) if call.node.args else ""
    func = call.node.func
    has_closure = bool(call.node.args)
    return dotted(func.value) if isinstance(func, cst.Attribute) and not has_closure and step.how == "plain" else ""


def _unscale(loop: TrainingLoop, step: Event, call: Call, optimizer: str) -> tuple[str, ...]:
    if step.how != "scaler":
        return ()
    for path in loop.paths:
        if step in path.events and any(e.kind == Kind.UNSCALE for e in path.events[: path.index(step)]):
            return ()
    func = cst.ensure_type(call.node.func, cst.Attribute)
    return (f"{dotted(func.value)}.unscale_({optimizer})",)


def _framework_clip(program: Program, loop: TrainingLoop, step: Event, optimizer: str) -> tuple[str, ...]:
    """``accelerator.clip_grad_norm_`` or ``fabric.clip_gradients``, by the backward of the loop."""
    backward = next((e for e in loop.backwards if e.how == "accelerator"), None)
    if backward is None or not isinstance(backward.call, Call):
        return ()
    func = backward.call.node.func
    owner = dotted(func.value) if isinstance(func, cst.Attribute) else ""
    if not owner or backward.place.frame is not step.place.frame:
        return ()
    model = model_text(program, step)
    if any(last_name(v) == "Fabric" for v in backward.targets):
        network = model.removesuffix(".parameters()")
        return (f"{owner}.clip_gradients({network}, {optimizer}, {_MAX_NORM})",) if model else ()
    clip = f"{owner}.clip_grad_norm_({model or _groups(optimizer)}, {_MAX_NORM})"
    if loop.accumulation is not None and loop.accumulation.kind == "framework":
        return (f"if {owner}.sync_gradients:", f"    {clip}")
    return (clip,)


def _plain_clip(program: Program, step: Event, optimizer: str) -> tuple[str, ...]:
    if any(last_name(value) in SHARDED for value in _models(program, step)):
        model = model_text(program, step).removesuffix(".parameters()")
        return (f"{model}.clip_grad_norm_({_MAX_NORM})",) if model else ()
    function = _clip_function(step.place)
    if not function:
        return ()
    return (f"{function}({model_text(program, step) or _groups(optimizer)}, {_MAX_NORM})",)


def _groups(optimizer: str) -> str:
    return f'[p for group in {optimizer}.param_groups for p in group["params"]]'


def _clip_function(place: Place) -> str:
    """The clipping function by a name that is bound at a place."""
    for name, qualified, tail in (
        ("clip_grad_norm_", "torch.nn.utils.clip_grad_norm_", ""),
        ("torch", "torch", ".nn.utils.clip_grad_norm_"),
        ("nn", "torch.nn", ".utils.clip_grad_norm_"),
    ):
        _, bindings = lookup(place.block.scope, name)
        if bindings and all(b.kind == BindingKind.IMPORT and b.value == qualified for b in bindings):
            return name + tail
    return ""


def _constructors(step: Event) -> list[Result]:
    return [v for v in step.targets if isinstance(v, Result) and v.node.args]


def _parameters_of(made: Result) -> cst.BaseExpression | None:
    """``model`` in ``Optimizer(model.parameters(), ...)``."""
    return owner_of_parameters(made.node.args[0].value)


def _models(program: Program, step: Event) -> list[Value]:
    found: list[Value] = []
    for made in _constructors(step):
        node = _parameters_of(made)
        found.extend(program.resolver.resolve(Ref(node, made.place)) if node is not None else ())
    return found


def model_text(program: Program, step: Event) -> str:
    """``model.parameters()`` or a list of weights by a name that means the same at the step; empty otherwise."""
    made = _constructors(step)
    if len(made) != 1:
        return ""
    node = _parameters_of(made[0])
    first = made[0].node.args[0].value
    if node is not None:
        name = _name_at(program, Ref(node, made[0].place), step)
        return f"{name}.parameters()" if name else ""
    values = program.resolver.resolve(Ref(first, made[0].place))
    is_list = all(_is_list(value) for value in values)
    return _name_at(program, Ref(first, made[0].place), step) if is_list else ""


def _is_list(value: Value) -> bool:
    """A list of weights, which can be read twice; parameter groups and generators cannot be clipped."""
    if isinstance(value, Result):
        return value.qualified == "builtins.list"
    return isinstance(value, Operation) and isinstance(value.ref.node, (cst.List, cst.ListComp))


def _name_at(program: Program, source: Ref, step: Event) -> str:
    """A name for the values of an expression at the place of a step: its own, or an attribute of ``self``."""
    text = dotted(source.node)
    keys = {value.key for value in program.resolver.resolve(source)}
    if not text or not keys:
        return ""
    if lookup(step.place.block.scope, text.partition(".")[0])[1]:
        here = program.resolver.resolve(Ref(source.node, step.place))
        if all(value.key in keys or _wraps(program, value, keys) for value in here):
            return text
    return _attribute_at(program, keys, step)


def _attribute_at(program: Program, keys: set[Hashable], step: Event) -> str:
    """The attribute of ``self`` at a step that holds values with these keys."""
    function = step.place.frame.function
    if function is None or function.owner is None or not function.parameters or is_static(function):
        return ""
    receiver = step.place.frame.receiver or Object(function.owner, None, step.place)
    if not isinstance(receiver, Object):
        return ""
    for cls in program.resolver.lineage(receiver.cls)[0]:
        for name in cls.attributes:
            values = object_member(program.resolver, receiver, name)
            if values and all(value.key in keys for value in values):
                return f"{function.parameters[0].name}.{name}"
    return ""


def _wraps(program: Program, value: Value, keys: set[Hashable]) -> bool:
    """Whether a value is the wrapped form of one with these keys."""
    if isinstance(value, Result) and last_name(value) in WRAPPER_NAMES and value.node.args:
        inner = program.resolver.resolve(Ref(value.node.args[0].value, value.place))
        return all(v.key in keys for v in inner)
    return False

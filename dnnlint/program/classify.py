"""From a call to the event it is: backward, step, zero_grad, clip, mode switch and so on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Assign, Call
from dnnlint.program.calling import argument
from dnnlint.program.clips import CLIPPERS, is_clip
from dnnlint.program.roles import last_name
from dnnlint.program.tree import Event, Kind
from dnnlint.program.values import (
    Const,
    Element,
    External,
    FunctionValue,
    Member,
    Object,
    Operation,
    Place,
    Ref,
    Result,
    Value,
    Values,
)

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver
    from dnnlint.program.roles import Roles

_GRADIENT_CLEARS = frozenset({"zero_", "fill_"})
_GRADIENT_CLIPS = frozenset({"clamp_", "clip_", "mul_", "copy_", "nan_to_num_"})
_GRADIENT_SCALES = frozenset({"div_"})
GRADIENT_WRITES = _GRADIENT_CLIPS | {"div_", "_foreach_mul_", "_foreach_div_", "_foreach_clamp_max_", "_foreach_copy_"}
"""In-place functions that clip or scale where they are called on gradients."""


class Classifier:
    """Turns calls and assignments into events."""

    def __init__(self, resolver: Resolver, roles: Roles) -> None:
        self.resolver = resolver
        self.roles = roles

    def of_call(self, call: Call, place: Place) -> Event | None:
        """The event behind a call, None where it is none or not certainly one."""
        handler = _HANDLERS.get(call.attribute)
        if handler is not None:
            found = handler(self, call, place)
            if found is not None:
                return found
        if is_clip(call):
            return self.clip(call, place)
        if "grad" in call.chain[:-1]:
            return _gradient_call(self, call, place)
        if call.attribute in GRADIENT_WRITES and self._writes_gradients(call, place):
            return Event(Kind.CLIP, call, place, None, how="manual")
        return None

    def of_assign(self, assign: Assign, place: Place) -> Event | None:
        """``p.grad = None`` clears, ``p.grad *= c`` clips, ``p.grad /= n`` scales."""
        target = assign.target
        if isinstance(target, cst.Attribute) and target.attr.value == "data":
            target = target.value
        if not (isinstance(target, cst.Attribute) and target.attr.value == "grad"):
            return None
        if not assign.operator:
            cleared = isinstance(assign.value, cst.Name) and assign.value.value == "None"
            kind = Kind.ZERO_GRAD if cleared else Kind.CLIP
        else:
            kind = Kind.CLIP if assign.operator in ("*=", "/=") else Kind.READ_GRADIENTS
        return Event(kind, assign, place, None, how="manual")

    def receiver(self, call: Call, place: Place) -> Values:
        """The values of ``a.b`` in ``a.b.method()``."""
        func = call.node.func
        return self.resolver.resolve(Ref(func.value, place)) if isinstance(func, cst.Attribute) else ()

    def _writes_gradients(self, call: Call, place: Place) -> bool:
        """``g.mul_(c)`` or ``torch._foreach_mul_(grads, c)``, where the names stand for gradients."""
        foreach = call.attribute.startswith("_foreach_")
        if foreach and not call.node.args:
            return False
        func = call.node.func
        node = call.node.args[0].value if foreach else func.value if isinstance(func, cst.Attribute) else func
        return any(_is_gradient(value) for value in self.resolver.resolve(Ref(node, place)))

    def clip(self, call: Call, place: Place) -> Event:
        """The event of a call that clips gradients."""
        targets = self.receiver(call, place)
        owner = "accelerator" if self.roles.any_of(targets, "accelerator") else "function"
        if targets and not any(isinstance(v, External) for v in targets) and owner == "function":
            owner = "method"
        first = call.node.args[0].value if call.node.args else None
        given = self.resolver.resolve(Ref(first, place)) if first is not None else ()
        return Event(Kind.CLIP, call, place, None, targets=given, how=owner)

    def touched(self, call: Call, place: Place) -> Values:
        """The optimizers, scalers and models that an unknown callee receives."""
        func = call.node.func
        nodes = [a.value for a in call.node.args]
        if isinstance(func, cst.Attribute):
            nodes.append(func.value)
        found: list[Value] = []
        for node in nodes:
            inner = node.func.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else node
            if not isinstance(inner, (cst.Name, cst.Attribute)):
                continue
            found.extend(v for v in self.resolver.resolve(Ref(inner, place)) if self._matters(v))
        return tuple(found)

    def _matters(self, value: Value) -> bool:
        roles = self.roles
        return (
            roles.is_optimizer(value)
            or roles.is_scaler(value)
            or roles.is_model(value)
            or (isinstance(value, Object) and value.node is None)
        )


def _is_gradient(value: Value) -> bool:
    """``p.grad``, a list of them, or an element of such a list."""
    while isinstance(value, Element):
        value = value.base
    if isinstance(value, Member):
        return value.name == "grad"
    node = value.ref.node if isinstance(value, Operation) else None
    if isinstance(node, (cst.ListComp, cst.GeneratorExp)):
        part = node.elt
        while isinstance(part, cst.Call) and isinstance(part.func, cst.Attribute):
            part = part.func.value
        return isinstance(part, cst.Attribute) and part.attr.value == "grad"
    return False


def _backward(c: Classifier, call: Call, place: Place) -> Event | None:
    func = call.node.func
    if not isinstance(func, cst.Attribute):
        return None
    values = c.receiver(call, place)
    if any(isinstance(v, External) and v.qualified == "torch.autograd" for v in values):
        loss = Ref(call.node.args[0].value, place) if call.node.args else None
        return Event(Kind.BACKWARD, call, place, None, loss=loss, how="function")
    first = call.node.args[0] if call.node.args and call.node.args[0].keyword is None else None
    if first is not None:
        for role, how in (("engine", "engine"), ("accelerator", "accelerator"), ("optimizer", "engine")):
            if c.roles.any_of(values, role):
                return Event(Kind.BACKWARD, call, place, None, values, (), Ref(first.value, place), how)
    if any(isinstance(v, (Object, External)) for v in values):
        return None
    return _tensor_backward(c, call, place, func.value, values)


def _tensor_backward(c: Classifier, call: Call, place: Place, receiver: cst.BaseExpression, values: Values) -> Event:
    for value in values:
        if isinstance(value, Result) and value.method == "scale" and value.node.args:
            scaled = Ref(value.node.args[0].value, value.place)
            base = value.callee.base if isinstance(value.callee, Member) else value
            return Event(Kind.BACKWARD, call, place, None, scaler=(base,), loss=scaled, how="scaler")
        if isinstance(value, Result) and last_name(value) == "scale_loss":
            loss = Ref(value.node.args[0].value, value.place) if value.node.args else None
            return Event(Kind.BACKWARD, call, place, None, loss=loss, how="apex")
    return Event(Kind.BACKWARD, call, place, None, loss=Ref(receiver, place))


def _manual_backward(c: Classifier, call: Call, place: Place) -> Event | None:
    loss = Ref(call.node.args[0].value, place) if call.node.args else None
    return Event(Kind.BACKWARD, call, place, None, c.receiver(call, place), (), loss, "accelerator")


def _step(c: Classifier, call: Call, place: Place) -> Event | None:
    values = c.receiver(call, place)
    if c.roles.any_of(values, "scaler"):
        given = argument(c.resolver, call.node, place, "optimizer", 0)
        targets = c.resolver.resolve(given) if given is not None else ()
        return Event(Kind.STEP, call, place, None, targets, values, how="scaler")
    if c.roles.any_of(values, "optimizer"):
        return Event(Kind.STEP, call, place, None, values)
    if c.roles.any_of(values, "scheduler"):
        return Event(Kind.SCHEDULE, call, place, None, values)
    if c.roles.any_of(values, "engine"):
        return Event(Kind.STEP, call, place, None, values, how="engine")
    return None


def _optimizer_step(c: Classifier, call: Call, place: Place) -> Event | None:
    given = argument(c.resolver, call.node, place, "optimizer", 0)
    if given is None or not any(isinstance(v, External) for v in c.receiver(call, place)):
        return None
    return Event(Kind.STEP, call, place, None, c.resolver.resolve(given), how="function")


def _zero_grad(c: Classifier, call: Call, place: Place) -> Event | None:
    values = c.receiver(call, place)
    if any(isinstance(v, Object) and not (c.roles.is_optimizer(v) or c.roles.is_model(v)) for v in values):
        return None
    return Event(Kind.ZERO_GRAD, call, place, None, values)


def _foreach_zero(c: Classifier, call: Call, place: Place) -> Event | None:
    """``torch._foreach_zero_([p.grad for p in params])``."""
    return Event(Kind.ZERO_GRAD, call, place, None, how="manual") if _is_torch(c, call, place) else None


def _unscale(c: Classifier, call: Call, place: Place) -> Event | None:
    given = argument(c.resolver, call.node, place, "optimizer", 0)
    targets = c.resolver.resolve(given) if given is not None else ()
    return Event(Kind.UNSCALE, call, place, None, targets, c.receiver(call, place))


def _update(c: Classifier, call: Call, place: Place) -> Event | None:
    values = c.receiver(call, place)
    if c.roles.any_of(values, "scaler"):
        return Event(Kind.UPDATE, call, place, None, (), values)
    return None


def _mode(c: Classifier, call: Call, place: Place) -> Event | None:
    values = c.receiver(call, place)
    if not c.roles.any_of(values, "model") and not c.roles.any_of(values, "engine"):
        return None
    kind = Kind.EVAL_MODE if call.attribute == "eval" else Kind.TRAIN_MODE
    given = argument(c.resolver, call.node, place, "mode", 0)
    if kind == Kind.TRAIN_MODE and given is not None:
        known = c.resolver.resolve(given)
        if known == (Const(False),):
            kind = Kind.EVAL_MODE
        elif known != (Const(True),):
            return Event(kind, call, place, None, values, how="unknown")
    return Event(kind, call, place, None, values)


def _empty_cache(c: Classifier, call: Call, place: Place) -> Event | None:
    return Event(Kind.EMPTY_CACHE, call, place, None)


def _set_epoch(c: Classifier, call: Call, place: Place) -> Event | None:
    return Event(Kind.SET_EPOCH, call, place, None, c.receiver(call, place))


def _save(c: Classifier, call: Call, place: Place) -> Event | None:
    return Event(Kind.SAVE, call, place, None) if _is_torch(c, call, place) else None


def _load(c: Classifier, call: Call, place: Place) -> Event | None:
    return Event(Kind.LOAD, call, place, None) if _is_torch(c, call, place) else None


def _is_torch(c: Classifier, call: Call, place: Place) -> bool:
    return any(isinstance(v, External) and v.qualified == "torch" for v in c.receiver(call, place))


def _gradient_call(c: Classifier, call: Call, place: Place) -> Event:
    name = call.attribute
    if name in _GRADIENT_CLEARS:
        kind = Kind.ZERO_GRAD
    elif name in _GRADIENT_CLIPS or name in _GRADIENT_SCALES:
        kind = Kind.CLIP
    else:
        kind = Kind.READ_GRADIENTS
    return Event(kind, call, place, None, how="manual")


def forward_event(c: Classifier, callee: Values, call: Call, place: Place) -> Event | None:
    """The forward pass where the callee is a model or its ``forward`` method."""
    for value in callee:
        target = value
        if isinstance(value, Member) and value.name in ("forward", "module"):
            target = value.base
        elif isinstance(value, FunctionValue) and value.function.name == "forward" and value.receiver is not None:
            target = value.receiver
        if c.roles.is_model(target):
            return Event(Kind.FORWARD, call, place, None, (target,))
    return None


_HANDLERS: dict[str, Callable[[Classifier, Call, Place], Event | None]] = {
    "backward": _backward,
    "manual_backward": _manual_backward,
    "step": _step,
    "optimizer_step": _optimizer_step,
    "zero_grad": _zero_grad,
    "_foreach_zero_": _foreach_zero,
    "unscale_": _unscale,
    "unscale_gradients": _unscale,
    "update": _update,
    "train": _mode,
    "eval": _mode,
    "empty_cache": _empty_cache,
    "set_epoch": _set_epoch,
    "save": _save,
    "load": _load,
}
EVENT_NAMES = frozenset(_HANDLERS) | CLIPPERS

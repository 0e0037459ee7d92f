"""Clips: which calls they are, their limit, and whether it can limit anything."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Assign, Call, qualified_names
from dnnlint.program.calling import argument
from dnnlint.program.roles import site
from dnnlint.program.tree import Event
from dnnlint.program.values import Const, External, Place, Ref, Result, Setting, Value, Values

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

CLIPPERS = frozenset(
    "clip_grad_norm_ clip_grad_value_ clip_grad_norm clip_grad_value clip_gradients clip_grads_with_norm_ "
    "dispatch_clip_grad adaptive_clip_grad clip_grad_norm_fp32 clip_master_grads".split()
)
_INFINITE = frozenset({"math.inf", "numpy.inf", "torch.inf", "numpy.Inf"})
_LIMITS = ("max_norm", "clip_value", "clip_val", "value", "max_grad_norm")
_COUNTS = ("get_world_size", "len", "float", "int", "size", "get_scale")


def is_clip(call: Call) -> bool:
    """Whether a call is one of the known clipping functions, also imported under another name."""
    if call.attribute in CLIPPERS:
        return True
    return any(name.rpartition(".")[2] in CLIPPERS for name in qualified_names(call))


def may_be_clip(callee: Values) -> bool:
    """Whether a value that is called may be a clipping function of a library: ``CLIP[mode](...)``."""
    return any(isinstance(v, External) and v.qualified.rpartition(".")[2] in CLIPPERS for v in callee)


def limit_of(resolver: Resolver, clip: Event) -> Ref | None:
    """The expression of the limit of a clip, where it is given."""
    if isinstance(clip.call, Assign):
        return None
    node, place = clip.call.node, clip.place
    position = 0 if clip.how == "method" else 1
    for name in _LIMITS:
        found = argument(resolver, node, place, name)
        if found is not None:
            return found
    return argument(resolver, node, place, "", position)


def limits_anything(resolver: Resolver, clip: Event) -> bool:
    """False where the limit is None or infinite, or where gradients are only divided by a count."""
    if clip.how == "manual":
        factor = _factor(clip)
        return factor is None or not all(_is_count(v) for v in resolver.resolve(factor))
    limit = limit_of(resolver, clip)
    return limit is None or not all(_is_no_limit(resolver, value) for value in resolver.resolve(limit))


def _is_no_limit(resolver: Resolver, value: Value) -> bool:
    if isinstance(value, Const):
        return value.value is None or value.value == float("inf")
    if isinstance(value, External):
        return value.qualified in _INFINITE
    if isinstance(value, Result) and value.qualified == "builtins.float" and value.node.args:
        given = resolver.resolve(Ref(value.node.args[0].value, value.place))
        return all(isinstance(v, Const) and str(v.value).lstrip("+").lower() in ("inf", "infinity") for v in given)
    return False


def _factor(clip: Event) -> Ref | None:
    """What gradients are multiplied with or divided by."""
    if isinstance(clip.call, Assign):
        return Ref(clip.call.value, clip.place) if clip.call.operator in ("*=", "/=") else None
    name = clip.call.attribute
    if name not in ("mul_", "div_", "_foreach_mul_", "_foreach_div_"):
        return None
    index = 1 if name.startswith("_foreach_") else 0
    given = clip.call.node.args
    return Ref(given[index].value, clip.place) if len(given) > index else None


def _is_count(value: Value) -> bool:
    """A constant, an option, the number of ranks or samples: what averages gradients or undoes a loss scale."""
    if isinstance(value, (Const, Setting)):
        return True
    return isinstance(value, Result) and (value.method or value.qualified.rpartition(".")[2]) in _COUNTS


def owner_of_parameters(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """``model`` in ``model.parameters()``; None for other expressions."""
    func = node.func if isinstance(node, cst.Call) and not node.args else None
    return func.value if isinstance(func, cst.Attribute) and func.attr.value == "parameters" else None


def models_of(resolver: Resolver, node: cst.BaseExpression, place: Place) -> frozenset[Hashable]:
    """The models in ``model.parameters()``, by the places where they are made; empty for other expressions."""
    owner = owner_of_parameters(node)
    values = resolver.resolve(Ref(owner, place)) if owner is not None else ()
    return frozenset(site(value) for value in values)


def optimizers_of(resolver: Resolver, clip: Event, optimizers: Values) -> Values:
    """The optimizers that hold the parameters of a clip; empty where that does not show."""
    if isinstance(clip.call, Assign) or not clip.call.node.args:
        return ()
    models = models_of(resolver, clip.call.node.args[0].value, clip.place)
    return tuple(
        made
        for made in optimizers
        if isinstance(made, Result)
        and made.node.args
        and models & models_of(resolver, made.node.args[0].value, made.place)
    )

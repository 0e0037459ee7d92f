"""Calls whose insides the file does not show, and the libraries that are trusted all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.facts import Call
from dnnlint.program.libraries import is_known
from dnnlint.program.tree import Event, Kind
from dnnlint.program.values import (
    ClassValue,
    Const,
    Element,
    External,
    FunctionValue,
    Member,
    Object,
    Place,
    Ref,
    Result,
    Value,
    Values,
)

if TYPE_CHECKING:
    from dnnlint.program.classify import Classifier

# Methods of modules, optimizers and scalers that leave gradients alone.
_HARMLESS = frozenset(
    "parameters scale named_parameters buffers modules named_modules children named_children state_dict "
    "load_state_dict requires_grad_ register_buffer add_param_group get_scale get_last_lr is_enabled to cuda "
    "cpu double items keys values get append extend share_memory no_sync join set_train set_eval train eval "
    "get_growth_factor".split()
)


def opaque_event(c: Classifier, callee: Values, call: Call, place: Place) -> Event | None:
    """A call whose insides are not known and that receives an optimizer, a scaler or a model."""
    if call.attribute in _HARMLESS:
        return None
    touched = c.touched(call, place)
    if any(_is_hook(v) for v in callee):
        # A hook that is handed the trainer may do anything with what that holds.
        return _handed_over(c, call, place, touched)
    if callee and all(is_library(v) for v in callee):
        # An object of a library that is called with an optimizer is a loss scaler such as timm's NativeScaler.
        made = any(isinstance(v, Result) for v in callee)
        touched = tuple(v for v in touched if c.roles.is_optimizer(v)) if made else ()
    if any(isinstance(v, Object) and v.node is None for v in touched) and not _may_do_all(c, callee):
        touched = tuple(v for v in touched if not (isinstance(v, Object) and v.node is None))
    if not touched or (callee and all(_is_shown_class(c, value) for value in callee)):
        return None
    return Event(Kind.OPAQUE, call, place, None, touched)


def _is_hook(value: Value) -> bool:
    """A method that is chosen at run time, or of an element of a collection."""
    if isinstance(value, Result):
        return value.qualified == "builtins.getattr"
    return isinstance(value, Member) and isinstance(value.base, Element)


def _handed_over(c: Classifier, call: Call, place: Place, touched: Values) -> Event | None:
    given = c.resolver.resolve_all(tuple(Ref(argument.value, place) for argument in call.node.args))
    objects = tuple(value for value in given if isinstance(value, Object))
    found = (*touched, *(value for value in objects if value not in touched))
    return Event(Kind.OPAQUE, call, place, None, found) if found else None


def _is_shown_class(c: Classifier, value: Value) -> bool:
    """Whether a value is a class of the project whose constructors give nothing to unknown code."""
    if not isinstance(value, ClassValue):
        return False
    inside, outside = c.resolver.lineage(value.cls)
    if not all(isinstance(base, External) and is_known(base.qualified) for base in outside):
        return False
    constructors = [cls.methods["__init__"] for cls in inside if "__init__" in cls.methods]
    for function in constructors:
        calls = c.resolver.linker.unit_of(function.scope).facts.calls
        if any(_is_unknown(c, call) for call in calls if call.block.function is function and call.node.args):
            return False
    return True


def _is_unknown(c: Classifier, call: Call) -> bool:
    values = c.resolver.resolve(Ref(call.node.func, c.resolver.place_of(call)))
    return not values or not all(is_library(value) or isinstance(value, (ClassValue, Object)) for value in values)


def _may_do_all(c: Classifier, callee: Values) -> bool:
    """Whether a method called on ``self`` may come from a base class of another file."""
    for value in callee:
        if isinstance(value, Member) and isinstance(value.base, Object):
            _, outside = c.resolver.lineage(value.base.cls)
            if any(not (isinstance(b, External) and is_known(b.qualified)) for b in outside):
                return True
        elif not isinstance(value, Member):
            return True
    return False


def is_library(value: Value) -> bool:
    """Whether a value is, or was made by, something of a library that leaves gradients and optimizers alone."""
    if isinstance(value, External):
        return is_known(value.qualified)
    if isinstance(value, Result):
        return is_library(value.callee)
    if isinstance(value, Member):
        return is_library(value.base)
    return isinstance(value, (FunctionValue, Const))

"""What a tensor went through last: softmax, sigmoid or a plain layer, through modules and their ``forward``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from dnnlint.program.attributes import object_member
from dnnlint.program.calls import returned
from dnnlint.program.roles import last_name, unwrap
from dnnlint.program.values import (
    Const,
    Element,
    FunctionValue,
    Items,
    Member,
    Object,
    Operation,
    Ref,
    Result,
    Table,
    Value,
    Values,
)

if TYPE_CHECKING:
    from dnnlint.program import Program

SOFTMAX, LOG_SOFTMAX, SIGMOID, LOGITS = "softmax", "log_softmax", "sigmoid", "logits"
_FUNCTIONS = {"softmax": SOFTMAX, "log_softmax": LOG_SOFTMAX, "sigmoid": SIGMOID, "expit": SIGMOID, "linear": LOGITS}
_MODULES = {
    "Softmax": SOFTMAX,
    "Softmax2d": SOFTMAX,
    "LogSoftmax": LOG_SOFTMAX,
    "Sigmoid": SIGMOID,
    **dict.fromkeys(("Linear", "LazyLinear", "Conv1d", "Conv2d", "Conv3d"), LOGITS),
}
# Modules, methods and functions that leave every number as it is.
_SAME_MODULES = frozenset({"Flatten", "Unflatten", "Identity"})
_SAME_METHODS = frozenset(
    "view reshape squeeze unsqueeze flatten unflatten contiguous float double half bfloat16 to cuda cpu transpose "
    "permute clone requires_grad_ view_as reshape_as type t".split()
)
_HEADS = frozenset({"fc", "classifier", "head", "heads"})
_EXTENDERS = ("add_module", "register_module")
_MAX_DEPTH = 12


class Output(NamedTuple):
    """The last function that changed the numbers of a tensor, and the call or the layer it shows in."""

    kind: str
    node: cst.BaseExpression


def output_of(program: Program, ref: Ref) -> Output | None:
    """What every possible value of an expression went through last; None where that differs or is not known."""
    return _common(program, program.resolver.resolve(ref), 0)


def _common(program: Program, values: Values, depth: int) -> Output | None:
    if depth > _MAX_DEPTH or not values:
        return None
    found = [_of_value(program, value, depth + 1) for value in values]
    first = found[0]
    return first if first is not None and all(o is not None and o.kind == first.kind for o in found) else None


def _of_value(program: Program, value: Value, depth: int) -> Output | None:
    if isinstance(value, Element):
        return _of_element(program, value, depth)
    if not isinstance(value, Result):
        return None
    if isinstance(value.callee, Member):
        return _of_method(program, value, value.callee, depth)
    if value.qualified:
        return _of_function(program, value, depth)
    if isinstance(value.callee, (Result, Object)):
        called = [_of_call(program, inner, value, depth) for inner in unwrap(program.resolver, value.callee)]
        return called[0] if len(called) == 1 else None
    return None


def _of_method(program: Program, value: Result, callee: Member, depth: int) -> Output | None:
    if callee.name in _FUNCTIONS and callee.name != "linear":
        return Output(_FUNCTIONS[callee.name], value.node)
    base = _of_value(program, callee.base, depth) if callee.name in {*_SAME_METHODS, "log"} else None
    return _logarithm(value, base) if callee.name == "log" else base


def _logarithm(value: Result, base: Output | None) -> Output | None:
    return Output(LOG_SOFTMAX, value.node) if base is not None and base.kind == SOFTMAX else None


def _of_function(program: Program, value: Result, depth: int) -> Output | None:
    name = last_name(value)
    if not value.qualified.startswith("torch."):
        return None
    if name in _FUNCTIONS and value.qualified.count(".") <= 3:
        return Output(_FUNCTIONS[name], value.node)
    if name in _SAME_METHODS or name == "log":
        base = _common(program, _first(program, value), depth)
        return _logarithm(value, base) if name == "log" else base
    return None


def _first(program: Program, value: Result) -> Values:
    if not value.node.args or value.node.args[0].star:
        return ()
    return program.resolver.resolve(Ref(value.node.args[0].value, value.place))


def _of_call(program: Program, module: Value, call: Result, depth: int) -> Output | None:
    """The result of calling a module: of its last layer, or of its ``forward``."""
    if isinstance(module, Object):
        return _common(program, forward_results(program, module, call), depth)
    if not isinstance(module, Result):
        return None
    if module.qualified.startswith("torch.nn.") and last_name(module) in _SAME_MODULES:
        return _common(program, _first(program, call), depth)
    return _of_module(program, module, depth)


def forward_results(program: Program, module: Object, call: Result) -> Values:
    """What the ``forward`` of a project module returns for one call; empty where it cannot be seen."""
    resolver = program.resolver
    if not program.roles.is_module_class(module) or resolver.sites_named("register_forward_hook"):
        return ()
    found = object_member(resolver, module, "forward")
    if len(found) != 1 or not isinstance(found[0], FunctionValue):
        return ()
    return tuple(returned(resolver, found[0], call.node, call.place))


def _of_module(program: Program, module: Result, depth: int) -> Output | None:
    if module.qualified.startswith("torchvision.models."):
        return _of_new_head(program, module, depth)
    if not module.qualified.startswith("torch.nn."):
        return None
    name = last_name(module)
    if name != "Sequential":
        return Output(_MODULES[name], module.node) if name in _MODULES else None
    if any(program.resolver.sites_named(extender) for extender in _EXTENDERS):
        return None
    return _of_last(program, _layers(program, module), depth)


def _of_last(program: Program, layers: list[Ref], depth: int) -> Output | None:
    if depth > _MAX_DEPTH:
        return None
    for layer in reversed(layers):
        values = program.resolver.resolve(layer)
        if values and all(isinstance(v, Result) and last_name(v) in _SAME_MODULES for v in values):
            continue
        found = [_of_module(program, v, depth + 1) if isinstance(v, Result) else None for v in values]
        first = found[0] if found else None
        return first if first is not None and all(o is not None and o.kind == first.kind for o in found) else None
    return None


def _layers(program: Program, module: Result) -> list[Ref]:
    """The layers of ``nn.Sequential(a, b)`` or ``nn.Sequential(OrderedDict([("a", a), ("b", b)]))``, in order."""
    arguments = module.node.args
    if not arguments or any(a.star or a.keyword for a in arguments):
        return []
    refs = [Ref(a.value, module.place) for a in arguments]
    values = program.resolver.resolve(refs[0]) if len(refs) == 1 else ()
    if len(values) == 1 and isinstance(values[0], Result) and values[0].qualified == "collections.OrderedDict":
        pairs = [v for v in _first(program, values[0]) if isinstance(v, Items)]
        entries = [e for p in pairs for r in p.refs for e in program.resolver.resolve(r) if isinstance(e, Items)]
        return [entry.refs[1] for entry in entries if len(entry.refs) == 2]
    return refs


def _of_new_head(program: Program, module: Result, depth: int) -> Output | None:
    """``model.fc = nn.Sequential(nn.Linear(512, 10), nn.Softmax(dim=1))`` on a network of torchvision."""
    found: list[Output | None] = []
    for assign in program.facts.assigns:
        target = assign.target
        if isinstance(target, cst.Attribute) and target.attr.value in _HEADS:
            place = program.place_of(assign)
            owners = program.resolver.resolve(Ref(target.value, place))
            if any(isinstance(owner, Result) and owner.node is module.node for owner in owners):
                found.append(_of_last(program, [Ref(assign.value, place)], depth))
    return found[0] if len(found) == 1 else None


def _of_element(program: Program, value: Element, depth: int) -> Output | None:
    """One part of what a module returns: of a tuple by position, of a dictionary by name, of a tensor by slice."""
    base = value.base
    if isinstance(base, Result) and isinstance(base.callee, (Object, Result)):
        inner = unwrap(program.resolver, base.callee)
        if len(inner) == 1 and isinstance(inner[0], Object):
            return _of_part(program, forward_results(program, inner[0], base), value.index, depth)
    return _of_value(program, base, depth) if value.index == "?" else None


def _of_part(program: Program, results: Values, index: str, depth: int) -> Output | None:
    parts: list[Value] = []
    for result in results:
        ref = None
        if isinstance(result, Items):
            ref = result.refs[int(index)] if index.isdigit() and int(index) < len(result.refs) else None
        elif isinstance(result, Table):
            ref = result.get(index)
        elif index == "?" and not isinstance(result, (Const, Operation)):
            parts.append(result)
            continue
        if ref is None:
            return None
        parts.extend(program.resolver.resolve(ref))
    return _common(program, tuple(parts), depth)

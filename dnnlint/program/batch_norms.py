"""Whether a network normalises over its batch: the layers of its classes and of the functions that make its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.facts import Block, BlockKind, Branch, Call
from dnnlint.program.calling import argument
from dnnlint.program.roles import last_name
from dnnlint.program.values import ClassValue, FunctionValue, Object, Ref, Result, Value

if TYPE_CHECKING:
    from dnnlint.program import Program

_LAYERS = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d")
_NETWORKS = ("resnet", "resnext", "wide_resnet", "densenet", "mobilenet", "efficientnet", "shufflenet", "mnasnet")
_MAX_DEPTH = 6


def has_batch_norm(program: Program, value: Value) -> bool:
    """Whether a network of the project, or a known one of torchvision, always has batch norm layers."""
    return _holds(program, value, set(), 0)


def _holds(program: Program, value: Value, seen: set[int], depth: int) -> bool:
    if depth > _MAX_DEPTH:
        return False
    if isinstance(value, (Object, ClassValue)):
        if id(value.cls) in seen or (depth > 0 and not program.roles.is_module_class(value)):
            return False
        seen.add(id(value.cls))
        inside = program.resolver.lineage(value.cls)[0]
        return any(_makes(program, call, seen, depth) for cls in inside for call in program.calls_in(cls))
    if isinstance(value, FunctionValue):
        if id(value.function) in seen:
            return False
        seen.add(id(value.function))
        calls = program.linker.unit_of(value.function.scope).facts.calls
        return any(_makes(program, call, seen, depth) for call in calls if call.block.function is value.function)
    return isinstance(value, Result) and _holds_by_library(program, value, seen, depth)


def _holds_by_library(program: Program, value: Result, seen: set[int], depth: int) -> bool:
    if value.qualified.startswith("torchvision.models."):
        return (
            last_name(value).startswith(_NETWORKS)
            and argument(program.resolver, value.node, value.place, "norm_layer") is None
        )
    if not value.qualified.startswith("torch.nn."):
        return False
    if last_name(value) != "Sequential":
        return last_name(value) in _LAYERS
    layers = [Ref(entry.value, value.place) for entry in value.node.args]
    return any(_holds(program, v, seen, depth + 1) for layer in layers for v in program.resolver.resolve(layer))


def _makes(program: Program, call: Call, seen: set[int], depth: int) -> bool:
    """Whether a call that no branch stands around makes a batch norm layer, or a part with one."""
    if _is_conditional(call.block):
        return False
    if call.attribute in _LAYERS:
        return True
    callees = program.resolve(call.node.func, call)
    return any(
        _holds(program, callee, seen, depth + 1)
        for callee in callees
        if isinstance(callee, (ClassValue, FunctionValue))
    )


def _is_conditional(block: Block | None) -> bool:
    while block is not None and block.kind not in (BlockKind.FUNCTION, BlockKind.MODULE):
        if isinstance(block.owner, Branch):
            return True
        block = block.parent
    return False

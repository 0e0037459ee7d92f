"""Datasets: whether they stream, lie in memory, or lie on the device already."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.calling import argument
from dnnlint.program.roles import last_name
from dnnlint.program.values import (
    External,
    Member,
    Object,
    Place,
    Ref,
    Result,
    Value,
)

if TYPE_CHECKING:
    from dnnlint.program import Program

_MAX_DEPTH = 12
_ITERABLE = frozenset("IterableDataset IterDataPipe ChainDataset WebDataset StreamingDataset IterableWrapper".split())


def is_iterable_dataset(program: Program, ref: Ref) -> bool:
    """Whether a dataset streams: workers repeat it unless it splits itself, and its order is its own."""
    start = behind_methods(program, ref)
    if isinstance(start, Object):
        inside, outside = program.resolver.lineage(start.cls)
        if any(last_name(base) in _ITERABLE for base in outside):
            return True
        methods = {name for cls in inside for name in cls.methods}
        return "__iter__" in methods and "__getitem__" not in methods
    if isinstance(start, Result) and isinstance(start.callee, External):
        if last_name(start) in _ITERABLE or start.qualified.startswith(("webdataset.", "torchdata.datapipes.iter")):
            return True
        streaming = argument(program.resolver, start.node, start.place, "streaming")
        return streaming is not None and program.resolver.truth(streaming) is not False
    return False


def is_tensor_dataset(program: Program, ref: Ref) -> bool:
    """Whether a dataset is a ``TensorDataset``: its samples lie in memory."""
    values = program.resolver.resolve(ref)
    return bool(values) and all(last_name(value) == "TensorDataset" for value in values)


def behind_methods(program: Program, ref: Ref) -> Value | None:
    """The object at the start of a chain of method calls: the ``load_dataset(...)`` of ``load_dataset(...).map(f)``."""
    for value in program.resolver.resolve(ref):
        current: Value = value
        while isinstance(current, Result) and isinstance(current.callee, Member):
            current = current.callee.base
        return current
    return None


def lies_on_device(program: Program, ref: Ref, depth: int = 0) -> bool:
    """Whether the tensors of a dataset are created on, or moved to, a device other than the CPU."""
    node = ref.node
    if depth > _MAX_DEPTH:
        return False
    if depth == 0 and any(
        isinstance(v, Object) and _class_uses_device(program, v) for v in program.resolver.resolve(ref)
    ):
        return True
    if isinstance(node, cst.Call):
        return _call_on_device(program, node, ref.place, depth)
    if isinstance(node, (cst.Name, cst.Attribute)):
        bound = program.conditions.bindings(ref)
        return any(
            isinstance(b.value, cst.BaseExpression) and lies_on_device(program, Ref(b.value, place), depth + 1)
            for b, place in bound
        ) or (isinstance(node, cst.Attribute) and lies_on_device(program, Ref(node.value, ref.place), depth + 1))
    if isinstance(node, cst.Subscript):
        return lies_on_device(program, Ref(node.value, ref.place), depth + 1)
    if isinstance(node, cst.BinaryOperation):
        sides = (node.left, node.right)
        return any(lies_on_device(program, Ref(side, ref.place), depth + 1) for side in sides)
    return False


def _class_uses_device(program: Program, value: Object) -> bool:
    """Whether a method of a dataset class moves tensors to a device."""
    classes = program.resolver.lineage(value.cls)[0]
    for call in (call for part in classes for call in program.calls_in(part)):
        function = call.block.function
        if function is not None and function.owner in classes and _moves(program, call.node, program.place_of(call)):
            return True
    return False


def _moves(program: Program, node: cst.Call, place: Place) -> bool | None:
    """Whether a call puts its tensor on a device, None where it says nothing about devices."""
    func = node.func
    method = func.attr.value if isinstance(func, cst.Attribute) else ""
    if method == "cuda":
        return True
    devices = [a.value for a in node.args if a.keyword is not None and a.keyword.value == "device"]
    if method == "to" and node.args and node.args[0].keyword is None:
        devices.append(node.args[0].value)
    return not is_cpu(program, Ref(devices[0], place)) if devices else None


def _call_on_device(program: Program, node: cst.Call, place: Place, depth: int) -> bool:
    moved = _moves(program, node, place)
    if moved is not None:
        return moved
    func = node.func
    parts = [a.value for a in node.args]
    if isinstance(func, cst.Attribute):
        parts.append(func.value)
    return any(lies_on_device(program, Ref(part, place), depth + 1) for part in parts)


def is_cpu(program: Program, ref: Ref) -> bool:
    """Whether a device is certainly the CPU (or the expression is a type such as ``torch.float32``)."""
    from dnnlint.program.precision import device_types  # the modules need each other

    values = program.resolver.resolve(ref)
    if values and all(isinstance(v, External) and v.qualified.startswith("torch.") for v in values):
        return True
    return device_types(program.resolver, ref) == frozenset({"cpu"})

"""Sorts ATen operators by what they do with storages."""

from __future__ import annotations

from enum import IntEnum

import torch
from torch._ops import OpOverload

from dnnlint.estimators.simulation.kernels.scratch import Scratch
from dnnlint.estimators.simulation.shapes import Recipe


class OperatorKind(IntEnum):
    """How an operator treats storages."""

    PLAIN = 0
    """Takes and returns no tensor."""
    VIEW = 1
    """Its result shares the storage of an argument."""
    IN_PLACE = 2
    """Writes its first argument and returns it (or nothing)."""
    COMPUTE = 3
    """Its results are new; their shapes follow from the shapes of the arguments."""
    FACTORY = 4
    """Its result is new and no argument is a tensor."""
    RUN = 5
    """Anything else: resizes, writes to ``out=``, or returns what it wrote among several results."""
    VALUE = 6
    """Its result depends on values: reads a number, or has a size that data decides."""


_FORCED = {
    "aten::_unsafe_view": OperatorKind.VIEW,
    "aten::lift_fresh": OperatorKind.VIEW,
    "aten::_reshape_alias": OperatorKind.VIEW,
    "aten::view": OperatorKind.VIEW,
    "aten::detach": OperatorKind.VIEW,
    "aten::alias": OperatorKind.VIEW,
    "aten::set_": OperatorKind.RUN,
    "aten::resize_": OperatorKind.RUN,
    "aten::resize_as_": OperatorKind.RUN,
    "aten::_local_scalar_dense": OperatorKind.VALUE,
    "aten::nonzero": OperatorKind.VALUE,
    "aten::masked_select": OperatorKind.VALUE,
    "aten::_unique2": OperatorKind.VALUE,
    "aten::unique_dim": OperatorKind.VALUE,
    "aten::unique_consecutive": OperatorKind.VALUE,
    "aten::repeat_interleave": OperatorKind.VALUE,
    "aten::bincount": OperatorKind.VALUE,
    "aten::equal": OperatorKind.VALUE,
    "torchvision::nms": OperatorKind.VALUE,
}
"""Operators whose schema says less than is needed."""

_NUMBERS_MATTER = {"aten::arange", "aten::linspace", "aten::logspace", "aten::range"}


class Operator:
    """An overload with its kind and the shapes it was seen to give."""

    __slots__ = ("function", "kind", "memo", "name", "numbers_matter", "returns_nothing")

    def __init__(self, function: OpOverload) -> None:
        """Classify an overload by its schema."""
        schema = function._schema
        self.function = function
        self.name: str = schema.name
        self.kind = _FORCED[self.name] if _is_forced(function) else _kind(function)
        self.numbers_matter = self.name in _NUMBERS_MATTER or "upsample" in self.name or "attention" in self.name
        self.returns_nothing = not schema.returns
        self.memo: dict[object, tuple[Recipe, Scratch]] = {}


def _is_forced(function: OpOverload) -> bool:
    name = function._schema.name
    if name == "aten::repeat_interleave":
        return function._overloadname == "Tensor"
    return name in _FORCED


def _kind(function: OpOverload) -> OperatorKind:
    schema = function._schema
    written = [a for a in schema.arguments if a.alias_info is not None and a.alias_info.is_write]
    if torch.Tag.inplace_view in function.tags:
        return OperatorKind.RUN
    if written:
        return _kind_of_writer(function)
    if any(r.alias_info is not None for r in schema.returns):
        return OperatorKind.VIEW
    if any("Tensor" in str(a.type) for a in schema.arguments):
        return OperatorKind.COMPUTE
    returns_tensor = any("Tensor" in str(r.type) for r in schema.returns)
    return OperatorKind.FACTORY if returns_tensor else OperatorKind.PLAIN


def _kind_of_writer(function: OpOverload) -> OperatorKind:
    schema = function._schema
    written = [a for a in schema.arguments if a.alias_info is not None and a.alias_info.is_write]
    if any(a.is_out for a in written):
        return OperatorKind.RUN
    if not schema.returns:
        return OperatorKind.IN_PLACE
    first = schema.arguments[0]
    returns_first = (
        len(schema.returns) == 1
        and schema.returns[0].alias_info is not None
        and schema.returns[0].alias_info.is_write
        and written[0].name == first.name
    )
    return OperatorKind.IN_PLACE if returns_first else OperatorKind.RUN

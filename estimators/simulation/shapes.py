"""Memoised shape rules: the same arguments give results of the same shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Union

import torch

META = torch.device("meta")

Key = Union[object, tuple["Key", ...]]
Recipe = Callable[[], object]


class _NotReusable(Exception):
    """The result is not made of new, dense, separate storages."""


def key_of(argument: object, numbers_matter: bool) -> Key:
    """Return what of an argument decides the shape of a result.

    The value of a float matters only where sizes are computed from it (``arange``, ``interpolate``).
    """
    kind = type(argument)
    if isinstance(argument, torch.Tensor):
        return argument.dtype, argument.shape, argument.stride()
    if kind is int:
        return argument
    if kind is list or kind is tuple:
        return tuple([key_of(item, numbers_matter) for item in argument])  # type: ignore[attr-defined]
    if kind is float:
        return argument if numbers_matter else "float"
    if kind is bool:
        return "bool", argument
    return argument


def recipe_of(result: object, arguments: Sequence[object]) -> Recipe | None:
    """Return a function that makes results like ``result``, or ``None`` when they cannot be made anew."""
    taken = set(_storages(arguments))
    try:
        return _recipe(result, taken)
    except _NotReusable:
        return None


def shares_storage(result: object, arguments: Sequence[object]) -> bool:
    """Say whether a result lies in the storage of an argument."""
    return not set(_storages([result])).isdisjoint(_storages(arguments))


def _storages(values: Sequence[object]) -> list[int]:
    keys: list[int] = []
    for value in values:
        if isinstance(value, torch.Tensor):
            keys.append(value.untyped_storage()._cdata)
        elif isinstance(value, (list, tuple)):
            keys.extend(_storages(value))
    return keys


def _recipe(result: object, taken: set[int]) -> Recipe:
    if isinstance(result, torch.Tensor):
        return _tensor_recipe(result, taken)
    if isinstance(result, (list, tuple)):
        parts = [_recipe(item, taken) for item in result]
        make = type(result)
        return lambda: make([part() for part in parts])
    return lambda: result


def _tensor_recipe(result: torch.Tensor, taken: set[int]) -> Recipe:
    if result.layout is not torch.strided:
        raise _NotReusable
    if not result.is_meta and result.dim() == 0:
        return lambda: result
    storage = result.untyped_storage()
    if storage._cdata in taken or not result.is_meta:
        raise _NotReusable
    taken.add(storage._cdata)
    shape, stride, dtype = result.shape, result.stride(), result.dtype
    empty_strided = torch.empty_strided
    elements = storage.nbytes() // result.element_size()
    if result.dim() == 0 and elements > 1:
        return lambda: empty_strided((elements,), (1,), dtype=dtype, device=META).as_strided((), ())
    return lambda: empty_strided(shape, stride, dtype=dtype, device=META)

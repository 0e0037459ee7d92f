"""CUDA's autocast policy for meta tensors, weight cache included.

The operator lists are read from ``ATen/autocast_mode.h`` in the installed wheel, so that they are those of its
version; the four policies follow ``ATen/autocast_mode.cpp``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import torch
from torch._ops import OpOverload
from torch.library import Library, fallthrough_kernel

aten = torch.ops.aten
KEY_NAME = "AutocastPrivateUse1"
KEY = torch._C._dispatch_key_parse(KEY_NAME)
KEY_SET = torch._C.DispatchKeySet(KEY)

Kernel = Callable[..., object]


class WeightCache:
    """Casts of leaf weights, kept until the outermost autocast region ends (``cached_casts``)."""

    def __init__(self) -> None:
        """Start empty."""
        self._casts: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def clear(self) -> None:
        """Forget all casts."""
        self._casts.clear()

    def cast(self, tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        """Return ``tensor`` as ``dtype``, from the cache where CUDA would."""
        if not _is_eligible(tensor) or tensor.dtype is dtype:
            return tensor
        if not self._cacheable(tensor, dtype):
            return _converted(tensor, dtype)
        found = self._casts.get(id(tensor))
        if found is None:
            found = self._casts[id(tensor)] = (tensor, _converted(tensor, dtype))
        return found[1]

    def _cacheable(self, tensor: torch.Tensor, dtype: torch.dtype) -> bool:
        return (
            dtype is torch.get_autocast_dtype("cuda")
            and tensor.dtype is torch.float32
            and tensor.requires_grad
            and tensor.is_leaf
            and not tensor._is_view()
            and torch.is_autocast_cache_enabled()
        )

    def cast_all(self, value: object, dtype: torch.dtype) -> object:
        """Cast the tensors in an argument."""
        if isinstance(value, torch.Tensor):
            return self.cast(value, dtype)
        if isinstance(value, (list, tuple)):
            return type(value)([self.cast_all(item, dtype) for item in value])
        return value

    def cast_arguments(self, args: Sequence[object], dtype: torch.dtype) -> list[object]:
        """Cast all arguments, the last one first: GCC evaluates the arguments of a call from right to left."""
        return [self.cast_all(argument, dtype) for argument in reversed(args)][::-1]


def _converted(tensor: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    result: torch.Tensor = aten._to_copy.default(tensor, dtype=dtype)
    return result


def _is_eligible(tensor: torch.Tensor) -> bool:
    return tensor.is_meta and tensor.is_floating_point() and tensor.dtype is not torch.float64


@lru_cache(maxsize=1)
def operator_lists() -> dict[str, list[tuple[str, str]]]:
    """Return the operators and overloads of every policy, from the header of the installed PyTorch."""
    header = Path(torch.__file__).parent / "include" / "ATen" / "autocast_mode.h"
    text = header.read_text(encoding="utf-8")
    lists: dict[str, list[tuple[str, str]]] = {}
    for policy in ("LOWER_PRECISION_FP", "FP32", "FP32_SET_OPT_DTYPE", "PROMOTE"):
        macro = re.search(rf"#define AT_FORALL_{policy}\(_\)(.*?)\n\n", text, re.DOTALL)
        entries = re.findall(r"_\(([^)]*)\)", macro[1]) if macro else []
        pairs = [tuple(part.strip() for part in entry.split(",")) for entry in entries]
        lists[policy] = [(pair[0], pair[1] if len(pair) > 1 else "default") for pair in pairs]
    return lists


def install(library: Library, every_namespace: Library) -> WeightCache:
    """Register the policies for as long as the libraries live."""
    cache = WeightCache()
    every_namespace.fallback(fallthrough_kernel, KEY_NAME)
    policies: dict[str, Callable[[OpOverload, WeightCache], Kernel]] = {
        "LOWER_PRECISION_FP": _lower_precision,
        "FP32": _full_precision,
        "FP32_SET_OPT_DTYPE": _full_precision_by_option,
        "PROMOTE": _widest,
    }
    for policy, entries in operator_lists().items():
        for name, overload in entries:
            operator = getattr(getattr(aten, name, None), overload, None)
            if operator is not None:
                library.impl(operator, policies[policy](operator, cache), KEY_NAME)
    for overload, with_dtype in (("Scalar", "ScalarOpt_dtype"), ("ScalarOpt_dim", "ScalarOpt_dim_dtype")):
        library.impl(getattr(aten.norm, overload), _norm(getattr(aten.norm, with_dtype)), KEY_NAME)
    return cache


def _without_autocast() -> torch._C._ExcludeDispatchKeyGuard:
    return torch._C._ExcludeDispatchKeyGuard(KEY_SET)


def _lower_precision(operator: OpOverload, cache: WeightCache) -> Kernel:
    def kernel(*args: object, **kwargs: object) -> object:
        with _without_autocast():
            dtype = torch.get_autocast_dtype("cuda")
            cast = cache.cast_arguments(args, dtype)
            return operator(*cast, **{name: cache.cast_all(value, dtype) for name, value in kwargs.items()})

    return kernel


def _full_precision(operator: OpOverload, cache: WeightCache) -> Kernel:
    def kernel(*args: object, **kwargs: object) -> object:
        with _without_autocast():
            cast = cache.cast_arguments(args, torch.float32)
            options = {name: cache.cast_all(value, torch.float32) for name, value in kwargs.items()}
            return operator(*cast, **options)

    return kernel


def _full_precision_by_option(operator: OpOverload, cache: WeightCache) -> Kernel:
    """Ask for float32 through the operator's own ``dtype`` where the program leaves it open."""
    arguments = operator._schema.arguments
    position = [argument.name for argument in arguments].index("dtype")
    by_keyword = arguments[position].kwarg_only

    def kernel(*args: object, **kwargs: object) -> object:
        with _without_autocast():
            first = args[0]
            if isinstance(first, torch.Tensor) and _is_eligible(first) and first.dtype is not torch.float32:
                if by_keyword or len(args) <= position:
                    if kwargs.get("dtype") is None:
                        kwargs["dtype"] = torch.float32
                elif args[position] is None:
                    args = (*args[:position], torch.float32, *args[position + 1 :])
            return operator(*args, **kwargs)

    return kernel


def _widest(operator: OpOverload, cache: WeightCache) -> Kernel:
    """Cast to float32 when any tensor is float32, to the autocast type otherwise (``promote_type``)."""

    def kernel(*args: object, **kwargs: object) -> object:
        with _without_autocast():
            flat = [t for a in args for t in (a if isinstance(a, (list, tuple)) else (a,))]
            tensors = [t for t in flat if isinstance(t, torch.Tensor)]
            full = any(_is_eligible(t) and t.dtype is torch.float32 for t in tensors)
            dtype = torch.float32 if full else torch.get_autocast_dtype("cuda")
            return operator(*cache.cast_arguments(args, dtype), **kwargs)

    return kernel


def _norm(operator: OpOverload) -> Kernel:
    def kernel(source: torch.Tensor, *args: object, **kwargs: object) -> object:
        with _without_autocast():
            dtype = torch.float32 if _is_eligible(source) else source.dtype
            return operator(source, *args, dtype=dtype, **kwargs)

    return kernel

"""Numeric precision: autocast contexts and gradient scalers with what is known of their settings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.calling import argument, has_unknown_arguments
from dnnlint.program.calls import partial_target
from dnnlint.program.contexts import with_inner
from dnnlint.program.values import Const, External, Ref, Result, Setting, Value, Values

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

AUTOCASTS: dict[str, str] = {
    "torch.autocast": "",
    "torch.amp.autocast": "",
    "torch.amp.autocast_mode.autocast": "",
    "torch.cuda.amp.autocast": "cuda",
    "torch.cuda.amp.autocast_mode.autocast": "cuda",
    "torch.cpu.amp.autocast": "cpu",
}
SCALERS: dict[str, str] = {
    "torch.cuda.amp.GradScaler": "cuda",
    "torch.cuda.amp.grad_scaler.GradScaler": "cuda",
    "torch.amp.GradScaler": "",
    "torch.amp.grad_scaler.GradScaler": "",
    "torch.cpu.amp.GradScaler": "cpu",
    "torch.distributed.fsdp.sharded_grad_scaler.ShardedGradScaler": "cuda",
}
_DTYPES = {
    "float16": "float16",
    "half": "float16",
    "bfloat16": "bfloat16",
    "float32": "float32",
    "float": "float32",
}


@dataclass(frozen=True, slots=True)
class Autocast:
    """One autocast that may be active.

    ``dtypes``: the possible types, of ``float16``, ``bfloat16``, ``float32`` and ``unknown`` (the default type of CUDA
    is float16, of the CPU bfloat16). ``enabled``: the possible values of that argument, empty where it is not given.
    ``devices``: possible device types, ``unknown`` among them. ``chosen``: the type comes from a run-time option.
    """

    value: Result
    dtypes: frozenset[str]
    devices: frozenset[str]
    enabled: Values
    enabled_ref: Ref | None
    chosen: bool
    dtype_ref: Ref | None = None


_DEEPEST = 6


def autocasts(resolver: Resolver, contexts: Iterable[Ref]) -> list[Autocast]:
    """The autocasts among context expressions or decorators, through names, factories and partials."""
    found = []
    for ref in with_inner(resolver, contexts):
        for value in resolver.resolve(ref):
            made = _made(resolver, value, ref)
            if made is not None:
                found.append(_describe(resolver, made))
    return found


def _made(resolver: Resolver, value: Value, ref: Ref) -> Result | None:
    if isinstance(value, Result):
        if value.qualified in AUTOCASTS:
            return value
        if isinstance(value.callee, Result) and value.callee.qualified == "functools.partial":
            targets = partial_target(resolver, value.callee)
            if any(isinstance(t, External) and t.qualified in AUTOCASTS for t in targets):
                return Result(targets[0], value.callee.node, value.callee.place)
    return None


def _describe(resolver: Resolver, made: Result) -> Autocast:
    name = made.callee.qualified if isinstance(made.callee, External) else ""
    fixed = AUTOCASTS.get(name, "")
    shift = 0 if fixed else 1
    shift += _partial_shift(made)
    device = argument(resolver, made.node, made.place, "device_type", shift - 1) if not fixed else None
    devices = frozenset({fixed}) if fixed else device_types(resolver, device)
    positions = ("enabled", "dtype") if fixed else ("dtype", "enabled")
    given = {n: argument(resolver, made.node, made.place, n, shift + i) for i, n in enumerate(positions)}
    dtype, chosen = dtypes(resolver, given["dtype"], devices)
    if has_unknown_arguments(resolver, made.node, made.place) and given["dtype"] is None:
        dtype = frozenset({"unknown"})
    switch = given["enabled"]
    enabled = resolver.resolve(switch) if switch is not None else ()
    return Autocast(made, dtype, devices, enabled, switch, chosen, given["dtype"])


def _partial_shift(made: Result) -> int:
    func = made.node.func
    name = func.attr.value if isinstance(func, cst.Attribute) else getattr(func, "value", "")
    return 1 if name == "partial" else 0


def device_types(resolver: Resolver, ref: Ref | None, depth: int = 0) -> frozenset[str]:
    """The device types an argument may name: ``"cuda"``, ``torch.device("cuda:0")``, ``device.type``."""
    if ref is None or depth > _DEEPEST:  # `args.device = torch.device(args.device)` is made of itself
        return frozenset({"unknown"})
    found: set[str] = set()
    for value in resolver.resolve(ref):
        found |= _device_type(resolver, value, depth)
    return frozenset(found)


def _device_type(resolver: Resolver, value: Value, depth: int) -> set[str]:
    if isinstance(value, Const) and isinstance(value.value, str):
        return {value.value.partition(":")[0]}
    if isinstance(value, Setting):
        return {t for d in value.defaults for t in _device_type(resolver, d, depth)} | {"unknown"}
    base = getattr(value, "base", None)
    if base is not None and getattr(value, "name", "") == "type":
        return _device_type(resolver, base, depth)
    if isinstance(value, Result) and value.qualified == "torch.device" and value.node.args:
        return set(device_types(resolver, Ref(value.node.args[0].value, value.place), depth + 1))
    return {"unknown"}


def dtypes(resolver: Resolver, ref: Ref | None, devices: frozenset[str]) -> tuple[frozenset[str], bool]:
    """The types a ``dtype`` argument may have, and whether an option chooses it; absent: the device's default."""
    if ref is None or resolver.resolve(ref) == (Const(None),):
        if devices == frozenset({"cpu"}):
            return frozenset({"bfloat16"}), False
        return frozenset({"float16"} if "cuda" in devices else {"unknown"}), False
    values = resolver.resolve(ref)
    found = {t for value in values for t in dtype_of(resolver, value)}
    return frozenset(found), len(found) > 1 or any(isinstance(v, Setting) for v in values)


def dtype_of(resolver: Resolver, value: Value) -> set[str]:
    """The floating-point type a value names: ``torch.half``, ``"bf16"`` settings are left to their resolution."""
    if isinstance(value, External) and value.qualified.startswith("torch."):
        return {_DTYPES.get(value.qualified.removeprefix("torch."), "unknown")}
    if isinstance(value, Setting):
        found = {t for d in (*value.defaults, *value.choices) for t in dtype_of(resolver, d)}
        return found if value.choices and found else found | {"unknown"}
    if isinstance(value, Result) and value.qualified == "builtins.getattr":
        return _named_on_torch(resolver, value)
    return {"unknown"}


def _named_on_torch(resolver: Resolver, value: Result) -> set[str]:
    """``getattr(torch, args.dtype)``: the types that the option may name."""
    base, name = (Ref(entry.value, value.place) for entry in value.node.args[:2])
    if External("torch") not in resolver.resolve(base):
        return {"unknown"}
    found: set[str] = set()
    for option in resolver.resolve(name):
        named = (*option.defaults, *option.choices) if isinstance(option, Setting) else ()
        texts = {v.value for v in named if isinstance(v, Const)} - {None}
        found |= {_DTYPES.get(str(text), "unknown") for text in texts} or {"unknown"}
    return found


def scaler_enabled(resolver: Resolver, scaler: Value) -> tuple[Values, Ref | None]:
    """The possible values of ``enabled`` of a GradScaler (empty: not given, so True), and its expression."""
    if not isinstance(scaler, Result) or scaler.qualified not in SCALERS:
        return (), None
    # torch.cuda.amp.GradScaler(init_scale, growth, backoff, interval, enabled); torch.amp's has the device first.
    position = 5 if SCALERS[scaler.qualified] == "" else 4
    ref = argument(resolver, scaler.node, scaler.place, "enabled", position)
    return (resolver.resolve(ref), ref) if ref is not None else ((), None)

"""Reduction operators and the operators that end in one."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from dnnlint.estimators.simulation.kernels.reduction import Processors, Reduction, scratch_bytes
from dnnlint.estimators.simulation.kernels.scratch import NOTHING, Call, Rule, Scratch, together

FLOAT_BYTES = 4
WELFORD_BYTES = 16
"""``WelfordData<float, int32_t>``: mean, m2, n, nf."""

PAIR_BYTES = 16
"""``pair<float, int64_t>`` of argmax."""


def processors(call: Call) -> Processors:
    """Return what the reduction asks of the device."""
    return Processors(call.device.multiprocessors, call.device.threads_per_multiprocessor)


def reduced(
    call: Call,
    source: torch.Tensor,
    dims: Sequence[int] | None,
    accumulator_bytes: int | None = None,
    values_at_once: int = 4,
) -> list[int]:
    """Return the scratch of a reduction of ``source`` over ``dims`` (all when none are given)."""
    chosen = list(dims) if dims else list(range(source.dim()))
    if accumulator_bytes is None:
        accumulator_bytes = max(FLOAT_BYTES, source.element_size())
    reduction = Reduction(
        source.shape, source.stride(), chosen, source.element_size(), accumulator_bytes, values_at_once, values_at_once
    )
    return scratch_bytes(reduction, processors(call))


def _dims(value: object) -> list[int] | None:
    if isinstance(value, int):
        return [value]
    return list(value) if isinstance(value, (list, tuple)) else None


def _rule(dim_position: int | None, accumulator_bytes: int | None = None, values_at_once: int = 4) -> Rule:
    def rule(call: Call) -> Scratch:
        dims = None if dim_position is None else _dims(call.option(dim_position, "dim", None))
        return Scratch((), together(reduced(call, call.tensor(0), dims, accumulator_bytes, values_at_once)))

    return rule


def _everything(call: Call) -> Scratch:
    """Rule of overloads that reduce all or along one dimension (``max``); the latter use another kernel."""
    if len(call.args) > 1:
        return NOTHING
    return Scratch((), together(reduced(call, call.tensor(0), None, call.tensor(0).element_size())))


REDUCTION_RULES: dict[str, Rule] = {
    "aten::sum": _rule(1),
    "aten::mean": _rule(1),
    "aten::nansum": _rule(1),
    "aten::prod": _rule(1),
    "aten::linalg_vector_norm": _rule(2),
    "aten::norm": _rule(2),
    "aten::amax": _rule(1),
    "aten::amin": _rule(1),
    "aten::max": _everything,
    "aten::min": _everything,
    "aten::any": _rule(1, 1),
    "aten::all": _rule(1, 1),
    "aten::argmax": _rule(1, PAIR_BYTES),
    "aten::argmin": _rule(1, PAIR_BYTES),
    "aten::var": _rule(1, WELFORD_BYTES, 2),
    "aten::std": _rule(1, WELFORD_BYTES, 2),
    "aten::var_mean": _rule(1, WELFORD_BYTES, 2),
    "aten::std_mean": _rule(1, WELFORD_BYTES, 2),
}

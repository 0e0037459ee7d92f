"""Memoised shapes against meta kernels, for arbitrary shapes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("torch", reason="the simulation needs PyTorch")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional

from dnnlint.estimators.simulation import simulate

OPERATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "product": lambda x: x @ x.transpose(-1, -2),
    "softmax": lambda x: functional.softmax(x, -1),
    "norm": lambda x: functional.layer_norm(x, x.shape[-1:]),
    "sum": lambda x: x.sum(-1, keepdim=True),
    "join": lambda x: torch.cat([x, x], -1),
    "pick": lambda x: x[..., ::2] * 2,
    "resize": lambda x: functional.interpolate(x.unsqueeze(1), scale_factor=1.5, mode="nearest"),
    "convert": lambda x: x.transpose(0, 1).to(torch.bfloat16).contiguous(),
}


@settings(max_examples=30, deadline=None)
@given(
    shapes=st.lists(st.tuples(*[st.integers(1, 9)] * 3), min_size=1, max_size=4),
    name=st.sampled_from(sorted(OPERATIONS)),
)
def test_results_look_like_those_of_meta_kernels(shapes: list[tuple[int, int, int]], name: str) -> None:
    """Shape, strides and type are those that meta tensors give, also when a rule is used again."""
    operation = OPERATIONS[name]
    expected = [operation(torch.empty(shape, device="meta")) for shape in shapes]
    with simulate():
        found = [operation(torch.empty(shape, device="cuda")) for shape in shapes for _ in range(2)][::2]
    for want, got in zip(expected, found, strict=True):
        assert (got.shape, got.stride(), got.dtype) == (want.shape, want.stride(), want.dtype)

"""Autograd's sum of gradients that reach a tensor on several paths.

The engine adds in place when it holds the last reference to the first gradient (``accumulate`` in
``torch/csrc/autograd/input_buffer.cpp``), but not while a dispatch mode is active. The mode therefore decides
by reference counts, as the engine would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch


class GradientSums:
    """Recognises sums that the engine would make in place."""

    def __init__(self) -> None:
        """Start uncalibrated: no sum is recognised before ``calibrate``."""
        self._last_reference: tuple[int, int] | None = None
        self._calibrating = False

    def calibrate(self) -> None:
        """Learn which counts a gradient has here when only the engine holds it; needs the dispatch mode active."""
        self._calibrating = True
        try:
            leaf = torch.empty(2, 2, device="meta", requires_grad=True)
            middle = leaf * 2
            torch.autograd.backward([middle.relu(), middle.sigmoid()], [torch.empty_like(leaf)] * 2)
        finally:
            self._calibrating = False

    def fills_in_place(self, args: Sequence[object]) -> bool:
        """Say whether a derivative formula writes into the zeros it just made (``index_put``, ``scatter``).

        Formulas do so unless a mode is active (``areAnyTensorSubclassLike`` in ``FunctionsManual.cpp``).
        """
        first = args[0]
        if torch.is_grad_enabled() or not isinstance(first, torch.Tensor):
            return False
        return self._counts(first) == self._last_reference

    def in_place(self, args: Sequence[object], kwargs: Mapping[str, object]) -> bool:
        """Say whether ``aten::add`` of ``args`` is a sum of gradients written into the first."""
        if len(args) != 2 or kwargs or torch.is_grad_enabled():
            return False
        first, second = args
        if not isinstance(first, torch.Tensor) or not isinstance(second, torch.Tensor):
            return False
        counts = self._counts(first)
        if self._calibrating:
            self._last_reference = counts
            return False
        return (
            counts == self._last_reference
            and first.shape == second.shape
            and first.dtype is second.dtype
            and _is_dense(first)
        )

    @staticmethod
    def _counts(tensor: torch.Tensor) -> tuple[int, int]:
        storage = torch._C._storage_Use_Count(tensor.untyped_storage()._cdata)
        return tensor._use_count(), storage  # type: ignore[attr-defined]


FILLING_OPERATORS = frozenset(
    f"aten::{name}" for name in ("index_put", "scatter", "scatter_add", "index_add", "select_scatter", "slice_scatter")
)


def _is_dense(tensor: torch.Tensor) -> bool:
    """Say whether the elements fill their storage without gaps or overlap."""
    if tensor.is_contiguous():
        return True
    expected = 1
    for stride, size in sorted(zip(tensor.stride(), tensor.shape, strict=True)):
        if size > 1:
            if stride != expected:
                return False
            expected *= size
    return True

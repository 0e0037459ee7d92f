"""Finds the rules of a kernel and records what it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from dnnlint.estimators.simulation.device import SimulatedDevice
from dnnlint.estimators.simulation.kernels.attention import ATTENTION_RULES
from dnnlint.estimators.simulation.kernels.layers import LAYER_RULES, is_channels_last, is_depthwise
from dnnlint.estimators.simulation.kernels.scratch import NOTHING, Call, Rule, Scratch, size_of
from dnnlint.estimators.simulation.kernels.sums import REDUCTION_RULES
from dnnlint.estimators.simulation.lifetimes import Recorder
from dnnlint.estimators.simulation.shapes import META

GEMM_OPERATORS = frozenset(
    f"aten::{name}"
    for name in (
        "mm",
        "addmm",
        "bmm",
        "baddbmm",
        "addbmm",
        "mv",
        "addmv",
        "dot",
        "vdot",
        "_addmm_activation",
        "_int_mm",
    )
)
"""Operators that ask for a cuBLAS handle, and with it for the workspace of their thread."""

RULES: dict[str, Rule] = {**REDUCTION_RULES, **ATTENTION_RULES, **LAYER_RULES}

RESULT_ORDER: dict[str, tuple[int, ...]] = {
    "aten::native_dropout": (1, 0),
    "aten::_thnn_fused_lstm_cell": (2, 0, 1),
    "aten::_thnn_fused_gru_cell": (1, 0),
    "aten::_scaled_dot_product_efficient_attention": (2, 3, 0, 1),
    "aten::_scaled_dot_product_cudnn_attention": (6, 7, 0, 1, 2, 3, 4, 5, 8),
}
"""Order in which a kernel allocates its results, where it is not that of the schema."""

SEED_ON_HOST = (torch.zeros((), dtype=torch.long), torch.zeros((), dtype=torch.long))
"""With dropout the efficient kernel gets seed and offset by value; without, they are (unused) device tensors."""

FULL_SIZE_LOSSES = frozenset({"aten::mse_loss", "aten::smooth_l1_loss"})
"""Losses whose mean lies in a storage of the size of the input: it is made before the reduction and then shrunk."""


class KernelRules:
    """Looks up the memory of a kernel by the name of its operator."""

    def __init__(self, recorder: Recorder, device: SimulatedDevice) -> None:
        """Report to ``recorder`` what kernels take on ``device``."""
        self.recorder = recorder
        self.device = device
        self._threads_with_workspace: set[bool] = set()

    def scratch(self, name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> Scratch:
        """Return what a kernel takes beyond its results."""
        rule = RULES.get(name)
        return NOTHING if rule is None else rule(Call(args, kwargs, self.device))

    def open(self, scratch: Scratch, name: str) -> list[int]:
        """Record what is taken before the results; returns the numbers of the blocks."""
        blocks: list[int] = []
        self._play(scratch.before, blocks, name)
        return blocks

    def close(self, scratch: Scratch, blocks: list[int], name: str) -> None:
        """Record what is taken after the results, and give back everything."""
        if name in GEMM_OPERATORS:
            self._workspace(name)
        self._play(scratch.after, blocks, name)
        for block in reversed(blocks):
            if block >= 0:
                self.recorder.release(block)

    def _play(self, steps: Sequence[int], blocks: list[int], name: str) -> None:
        for step in steps:
            if step >= 0:
                blocks.append(self.recorder.take(step, name))
            else:
                self.recorder.release(blocks[~step])
                blocks[~step] = -1

    def corrected(self, name: str, args: Sequence[object], kwargs: Mapping[str, object], result: object) -> object:
        """Return the result as CUDA lays it out."""
        if name == "aten::_scaled_dot_product_efficient_attention" and isinstance(result, tuple):
            dropout = args[5] if len(args) > 5 else kwargs.get("dropout_p", 0.0)
            return (*result[:2], *SEED_ON_HOST) if dropout else result
        if name in FULL_SIZE_LOSSES and isinstance(result, torch.Tensor) and result.dim() == 0:
            source = args[0]
            assert isinstance(source, torch.Tensor)
            whole = torch.empty((source.numel(),), dtype=result.dtype, device=META)
            return whole.as_strided((), ())
        if name == "aten::convolution" and isinstance(result, torch.Tensor):
            self._note_workspace(args, result)
        flat = name == "aten::convolution" and isinstance(result, torch.Tensor) and result.dim() == 4
        if not flat or not any(isinstance(a, torch.Tensor) and is_channels_last(a) for a in args[:2]):
            return result
        assert isinstance(result, torch.Tensor)
        return torch.empty(result.shape, dtype=result.dtype, device=META, memory_format=torch.channels_last)

    def _note_workspace(self, args: Sequence[object], result: torch.Tensor) -> None:
        """Keep the size of the largest convolution that is neither a matrix product nor PyTorch's own kernel."""
        source, weight = args[0], args[1]
        assert isinstance(source, torch.Tensor)
        assert isinstance(weight, torch.Tensor)
        groups = args[8] if len(args) > 8 else 1
        windows = any(size > 1 for size in weight.shape[2:])
        if windows and not is_depthwise(source, weight, int(groups), False):  # type: ignore[call-overload]
            recorder = self.recorder
            recorder.convolution_bytes = max(recorder.convolution_bytes, size_of(source) + size_of(result))

    def _workspace(self, name: str) -> None:
        """Allocate one cuBLAS workspace for the thread of the program and one for that of autograd."""
        thread = self.recorder.in_backward
        if thread not in self._threads_with_workspace:
            self._threads_with_workspace.add(thread)
            self.recorder.workspace(self.device.cublas_workspace_bytes, name)

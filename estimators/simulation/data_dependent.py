"""Results whose size is decided by data, and operators without a shape rule of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch

from dnnlint.estimators.allocator import NoteKind
from dnnlint.estimators.simulation import values
from dnnlint.estimators.simulation.errors import UnsupportedOperatorError
from dnnlint.estimators.simulation.lifetimes import Recorder
from dnnlint.estimators.simulation.shapes import META

NMS_LIMIT = 2000
"""Boxes that torchvision's detection models keep before and after non-maximum suppression (``rpn_pre_nms_top_n``)."""


def without_content(value: object, keep_numbers: bool = False) -> object:
    """Return meta tensors in place of real ones; with ``keep_numbers`` those without dimensions stay real."""
    if isinstance(value, torch.Tensor):
        if value.is_meta or (keep_numbers and value.dim() == 0):
            return value
        result = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=META)
        if values.keeps_values(value):
            values.remember(result, value)
        return result
    if isinstance(value, (list, tuple)):
        return type(value)([without_content(item, keep_numbers) for item in value])
    return value


def index_arguments(recorder: Recorder, args: tuple[object, ...]) -> tuple[object, ...]:
    """Turn boolean indices into integer ones: all elements selected, or as many as are known to be."""
    source, indices = args[0], args[1]
    assert isinstance(indices, (list, tuple))
    if not any(isinstance(i, torch.Tensor) and i.dtype in (torch.bool, torch.uint8) for i in indices):
        return args
    expanded: list[object] = []
    for index in indices:
        if isinstance(index, torch.Tensor) and index.dtype in (torch.bool, torch.uint8):
            expanded.extend(_mask_positions(recorder, index))
        else:
            expanded.append(index)
    return (source, expanded, *args[2:])


def _mask_positions(recorder: Recorder, mask: torch.Tensor) -> list[torch.Tensor]:
    known = values.value_of(mask)
    if known is None:
        count = mask.numel()
        recorder.note(NoteKind.PLACEHOLDER, f"mask index at {values.caller()}: every element is taken as selected")
    else:
        count = int(known.sum())
    recorder.release(recorder.take(8 * count * mask.dim(), "aten::nonzero"))
    return [torch.empty((count,), dtype=torch.long, device=META) for _ in range(mask.dim())]


def result_of(name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
    """Return the largest result an operator could give."""
    source = args[0]
    assert isinstance(source, torch.Tensor)
    count = source.numel()
    if name == "aten::nonzero":
        return _integers(count, source.dim())
    if name == "torchvision::nms":
        return _integers(min(count, NMS_LIMIT))
    if name == "aten::masked_select":
        return torch.empty((count,), dtype=source.dtype, device=META)
    if name in ("aten::_unique2", "aten::unique_consecutive"):
        unique = torch.empty((count,), dtype=source.dtype, device=META)
        return unique, torch.empty(source.shape, dtype=torch.long, device=META), _integers(count)
    if name == "aten::bincount":
        return _integers(max(count, int(kwargs.get("minlength", 0) or 0)))  # type: ignore[call-overload]
    if name == "aten::equal":
        return True
    raise UnsupportedOperatorError(name, "the size of its result depends on values that are unknown")


def _integers(*shape: int) -> torch.Tensor:
    return torch.empty(shape, dtype=torch.long, device=META)


def _like(tensor: torch.Tensor) -> torch.Tensor:
    return torch.empty(tensor.shape, dtype=tensor.dtype, device=META)


def _cudnn_rnn_backward(
    source: torch.Tensor,
    weights: Sequence[torch.Tensor],
    weight_stride0: int,
    weight_buffer: torch.Tensor,
    hidden: torch.Tensor,
    cell: torch.Tensor | None,
    *rest: object,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None, list[torch.Tensor]]:
    """Give gradients of all weights as parts of one buffer, as cuDNN does."""
    flat = torch.empty((sum(w.numel() for w in weights),), dtype=source.dtype, device=META)
    gradients, offset = [], 0
    for weight in weights:
        gradients.append(flat[offset : offset + weight.numel()].view(weight.shape))
        offset += weight.numel()
    return _like(source), _like(hidden), None if cell is None else _like(cell), gradients


def _fused_gru_cell(
    input_gates: torch.Tensor, hidden_gates: torch.Tensor, hidden: torch.Tensor, *biases: object
) -> tuple[torch.Tensor, torch.Tensor]:
    """Keep five values a unit for the backward pass (``_thnn_fused_gru_cell``)."""
    rows, width = hidden.shape
    return _like(hidden), torch.empty((rows, 5 * width), dtype=hidden.dtype, device=META)


def _fused_gru_cell_backward(
    gradient: torch.Tensor, workspace: torch.Tensor, has_bias: bool
) -> tuple[torch.Tensor, ...]:
    rows, width = gradient.shape
    gates = torch.empty((rows, 3 * width), dtype=gradient.dtype, device=META)
    bias = torch.empty((3 * width if has_bias else 0,), dtype=gradient.dtype, device=META)
    return _like(gates), _like(gates), _like(gradient), bias, _like(bias)


def _masked_fill(source: torch.Tensor, mask: torch.Tensor, value: object) -> torch.Tensor:
    """Take a value without dimensions from the host, as CUDA does."""
    fill = torch.ops.aten.masked_fill
    filled: torch.Tensor = (
        fill.Tensor(source, mask, value.to(META))
        if isinstance(value, torch.Tensor)
        else fill.Scalar(source, mask, value)
    )
    return filled


SHAPE_RULES: dict[str, Callable[..., object]] = {
    "aten::_cudnn_rnn_backward": _cudnn_rnn_backward,
    "aten::_thnn_fused_gru_cell": _fused_gru_cell,
    "aten::masked_fill": _masked_fill,
    "aten::_thnn_fused_gru_cell_backward": _fused_gru_cell_backward,
}
"""Shape rules for operators that PyTorch gives none, or one that CUDA is more lenient than."""

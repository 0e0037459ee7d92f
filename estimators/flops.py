"""Floating-point operations by operator; recurrent layers too, which PyTorch's counter leaves out."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch.utils.flop_counter import FlopCounterMode

aten = torch.ops.aten


def _recurrent(source: Sequence[int], weights: Sequence[Sequence[int]]) -> int:
    """Every weight matrix multiplies every token once; packed sequences come as (tokens, features)."""
    tokens = math.prod(source[:-1])
    return 2 * tokens * sum(math.prod(shape) for shape in weights if len(shape) == 2)


def _recurrent_forward(
    source: Sequence[int], weights: Sequence[Sequence[int]], *rest: object, **options: object
) -> int:
    return _recurrent(source, weights)


def _recurrent_backward(
    source: Sequence[int], weights: Sequence[Sequence[int]], *rest: object, **options: object
) -> int:
    """The gradients of weights and of inputs cost a multiplication each."""
    return 2 * _recurrent(source, weights)


def flop_counter() -> FlopCounterMode:
    """Return a counter to be entered once."""
    formulas = {aten._cudnn_rnn: _recurrent_forward, aten._cudnn_rnn_backward: _recurrent_backward}
    return FlopCounterMode(display=False, custom_mapping=formulas)

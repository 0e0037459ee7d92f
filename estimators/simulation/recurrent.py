"""Recurrent layers as cuDNN and the fused cells compute them (``ATen/native/RNN.cpp``, ``cudnn/RNN.cpp``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from dnnlint.estimators.simulation.shapes import META

aten = torch.ops.aten

RELU, TANH, LSTM, GRU = 0, 1, 2, 3
"""``cudnnRNNMode_t``."""

States = Sequence[torch.Tensor]


def _cudnn(
    mode: int,
    source: torch.Tensor,
    states: States,
    weights: States,
    has_biases: bool,
    layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    hidden = states[0]
    cell = states[1] if mode == LSTM else None
    buffer = torch.empty(0, device=META, dtype=source.dtype)
    proj = hidden.size(-1) if cell is not None and cell.size(-1) != hidden.size(-1) else 0
    width = cell.size(-1) if cell is not None else hidden.size(-1)
    per_layer = (4 if has_biases else 2) + (1 if proj else 0)
    result = aten._cudnn_rnn.default(
        source, weights, per_layer, buffer, hidden, cell, mode, width, proj, layers, batch_first, dropout, train,
        bidirectional, [], None,
    )  # fmt: skip
    return result[0], result[1], result[2]


def _lstm(source: torch.Tensor, states: States, weights: States, *options: object) -> tuple[torch.Tensor, ...]:
    return _cudnn(LSTM, source, states, weights, *options)  # type: ignore[arg-type]


def _single_state(mode: int) -> Callable[..., tuple[torch.Tensor, ...]]:
    def layer(
        source: torch.Tensor, hidden: torch.Tensor, weights: States, *options: object
    ) -> tuple[torch.Tensor, ...]:
        return _cudnn(mode, source, [hidden], weights, *options)[:2]  # type: ignore[arg-type]

    return layer


def _gates(
    source: torch.Tensor, hidden: torch.Tensor, w_ih: torch.Tensor, w_hh: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    return source.matmul(w_ih.t()), hidden.matmul(w_hh.t())


def _lstm_cell(
    source: torch.Tensor,
    states: States,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: torch.Tensor | None = None,
    b_hh: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    gates = _gates(source, states[0], w_ih, w_hh)
    result = aten._thnn_fused_lstm_cell.default(*gates, states[1], b_ih, b_hh)
    return result[0], result[1]


def _gru_cell(
    source: torch.Tensor,
    hidden: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: torch.Tensor | None = None,
    b_hh: torch.Tensor | None = None,
) -> torch.Tensor:
    gates = _gates(source, hidden, w_ih, w_hh)
    result: torch.Tensor = aten._thnn_fused_gru_cell.default(*gates, hidden, b_ih, b_hh)[0]
    return result


RECURRENT_OVERRIDES: dict[str, Callable[..., object]] = {
    "lstm.input": _lstm,
    "gru.input": _single_state(GRU),
    "rnn_tanh.input": _single_state(TANH),
    "rnn_relu.input": _single_state(RELU),
    "lstm_cell": _lstm_cell,
    "gru_cell": _gru_cell,
}

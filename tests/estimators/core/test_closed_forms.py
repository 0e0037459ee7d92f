"""Estimates against sums that can be written down by hand."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the simulation needs PyTorch")

import torch
from torch import nn
from torch.nn import functional

from dnnlint.estimators.allocator import Phase, replay
from dnnlint.estimators.simulation import (
    Attention,
    Precision,
    SimulatedDevice,
    StepSettings,
    TrainingProgram,
    simulate,
    trace_program,
)

WORKSPACE = 8_519_680


def _blocks(*sizes: int) -> int:
    return sum(-(-size // 512) * 512 for size in sizes)


def _mlp(width: int) -> TrainingProgram:
    return TrainingProgram(
        lambda: nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width)),
        lambda batch: torch.zeros(batch, width),
        lambda model, inputs: model(inputs).sum(),
        lambda model: torch.optim.Adam(model.parameters()),
    )


@pytest.mark.parametrize("width", [64, 300, 1024])
@pytest.mark.parametrize("batch", [1, 7, 128])
def test_mlp(width: int, batch: int) -> None:
    """Parameters, gradients, two states, the input, the loss and two workspaces: nothing else at the end of a step."""
    settings = StepSettings(steps=2, keeps_variables=False)
    usage = replay(trace_program(_mlp(width), batch, settings=settings))
    weights = 2 * _blocks(4 * width * width, 4 * width)
    inputs = _blocks(4 * batch * width)
    assert usage.steady.end.allocated_bytes == 4 * weights + inputs + _blocks(4) + 2 * WORKSPACE
    forward = usage.steady.phases[Phase.FORWARD].allocated_bytes
    # the product, ReLU's output and the second product are alive together when the loss is made
    assert forward >= 3 * weights + 3 * inputs + 2 * WORKSPACE


@pytest.mark.parametrize("count", [1, 1000, 123_457])
@pytest.mark.parametrize(
    ("options", "states", "temporaries"),
    [
        pytest.param({"foreach": True}, 2, 1, id="foreach makes one temporary list"),
        pytest.param({"fused": True}, 2, 0, id="fused makes none"),
        pytest.param({"foreach": True, "amsgrad": True}, 3, 1, id="amsgrad keeps a third state"),
    ],
)
def test_adam(count: int, options: dict[str, bool], states: int, temporaries: int) -> None:
    """Adam on one tensor of N parameters, with its states on the device and its step count on the host."""
    with simulate() as simulation:
        parameter = nn.Parameter(torch.empty(count, device="cuda"))
        optimizer = torch.optim.Adam([parameter], **options)  # type: ignore[arg-type]
        for step in range(2):
            with simulation.step(step):
                parameter.grad = torch.empty_like(parameter)
                optimizer.step()
        trace = simulation.trace
    peak = replay(trace).steady.phases[Phase.OPTIMIZER].allocated_bytes
    step_count = 512 if "fused" in options else 0
    assert peak == (2 + states + temporaries) * _blocks(4 * count) + step_count


def test_attention_block_keeps_flash_results() -> None:
    """Flash attention keeps its inputs, output and one float a row, not the scores."""
    batch, heads, length, size = 2, 4, 256, 64
    tensor = batch * heads * length * size * 2
    with simulate(SimulatedDevice((8, 0))) as simulation:
        q, k, v = (
            torch.empty(batch, heads, length, size, device="cuda", dtype=torch.bfloat16, requires_grad=True)
            for _ in range(3)
        )
        before = len(simulation.recorder.events)
        kept = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        events = simulation.recorder.events[before:]
        sizes = simulation.recorder.sizes
        alive = sum(sizes[event - 1] if event > 0 else -sizes[-event - 1] for event in events)
    assert kept.shape == q.shape
    assert alive == tensor + 4 * batch * heads * length + 16 + 8


@pytest.mark.parametrize(
    ("capability", "dtype", "masked", "kernel"),
    [
        pytest.param((8, 0), torch.bfloat16, False, "flash", id="ampere half"),
        pytest.param((8, 0), torch.bfloat16, True, "efficient", id="a mask rules flash out"),
        pytest.param((8, 0), torch.float32, False, "efficient", id="ampere float"),
        pytest.param((7, 5), torch.float16, False, "efficient", id="turing half"),
        pytest.param((7, 5), torch.bfloat16, False, "math", id="turing has no bfloat16 kernel"),
        pytest.param((9, 0), torch.bfloat16, False, "cudnn", id="hopper half"),
    ],
)
def test_choice_of_kernel(capability: tuple[int, int], dtype: torch.dtype, masked: bool, kernel: str) -> None:
    """The attention kernel follows capability, type and mask."""
    with simulate(SimulatedDevice(capability)) as simulation:
        q = torch.empty(2, 4, 128, 64, device="cuda", dtype=dtype, requires_grad=True)
        mask = torch.empty(2, 1, 128, 128, device="cuda", dtype=dtype) if masked else None
        functional.scaled_dot_product_attention(q, q, q, attn_mask=mask)
        operators = simulation.recorder.operators
    fused = {name for name in operators if "attention" in name}
    assert any(kernel in name for name in fused) if kernel != "math" else not fused


def test_named_kernel_is_taken() -> None:
    """A kernel asked for is used where it fits."""
    with simulate(SimulatedDevice((8, 0)), attention=Attention.EFFICIENT) as simulation:
        q = torch.empty(2, 4, 128, 64, device="cuda", dtype=torch.float16, requires_grad=True)
        functional.scaled_dot_product_attention(q, q, q)
        operators = simulation.recorder.operators
    assert "aten::_scaled_dot_product_efficient_attention" in operators


@pytest.mark.parametrize("precision", [Precision.FP32, Precision.BF16])
def test_weights_in_half_precision_halve_everything(precision: Precision) -> None:
    """Parameters, gradients and states take the bytes of the weight type."""
    usage = replay(trace_program(_mlp(512), 4, settings=StepSettings(precision=precision)))
    size = 2 if precision is Precision.BF16 else 4
    parameters = 2 * (512 * 512 + 512) * size
    assert usage.at_peak.parameters == parameters
    assert usage.at_peak.optimizer_state == 2 * parameters

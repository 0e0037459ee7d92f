"""Equality with PyTorch's own MemTracker, which counts the same live tensors without an allocator."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the simulation needs PyTorch")
pytest.importorskip("torch.distributed._tools.mem_tracker", reason="this PyTorch has no MemTracker")

import torch
from torch import nn
from torch.distributed._tools.mem_tracker import MemTracker
from torch.nn import functional

from dnnlint.estimators.allocator import Trace
from dnnlint.estimators.simulation import simulate


def _mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(256, 512), nn.GELU(), nn.LayerNorm(512), nn.Linear(512, 10))


def _cnn() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(3, 16, 3), nn.SiLU(), nn.Conv2d(16, 8, 3, bias=False), nn.Flatten(), nn.Linear(4608, 10)
    )


CASES = [
    pytest.param(_mlp, (32, 256), id="perceptron"),
    pytest.param(_cnn, (4, 3, 28, 28), id="convolutions"),
]


def _step(model: nn.Module, shape: tuple[int, ...], device: str, optimizer: torch.optim.Optimizer) -> None:
    inputs = torch.zeros(shape, device=device)
    labels = torch.zeros(shape[0], dtype=torch.long, device=device)
    functional.cross_entropy(model(inputs), labels).backward()
    optimizer.step()
    optimizer.zero_grad()


def _live_peak(trace: Trace) -> int:
    """Highest sum of live tensors from the first step on, without rounding, workspaces and scratch memory."""
    level = peak = 0
    for event in trace.events:
        number = abs(event) - 1
        if trace.transient[number] or trace.categories[number].value == "workspaces":
            continue
        level += trace.sizes[number] if event > 0 else -trace.sizes[number]
        peak = max(peak, level)
    return peak


@pytest.mark.parametrize(("build", "shape"), CASES)
def test_peak_is_that_of_mem_tracker(build: object, shape: tuple[int, ...]) -> None:
    """Both see the same tensors live at the peak of two steps."""
    assert callable(build)
    with torch.device("meta"):
        model = build()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=True)
        tracker = MemTracker()
        tracker.track_external(model, optimizer)
        with tracker:
            for _ in range(2):
                tracker.reset_mod_stats()
                _step(model, shape, "meta", optimizer)
    expected = tracker.get_tracker_snapshot("peak")[torch.device("meta")]["Total"]
    with simulate() as simulation:
        model = build().to("cuda")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=True)
        for number in range(2):
            with simulation.step(number):
                _step(model, shape, "cuda", optimizer)
        trace = simulation.trace
    assert _live_peak(trace) == expected

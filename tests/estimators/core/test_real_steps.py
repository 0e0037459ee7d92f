"""Byte equality with real steps on the CPU, for models whose kernels are the same there."""

from __future__ import annotations

import weakref
from collections.abc import Callable

import pytest

pytest.importorskip("torch", reason="the simulation needs PyTorch")

import torch
from torch import nn
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode

from dnnlint.estimators.simulation import simulate


class _LiveBytes(TorchDispatchMode):
    """Counts the bytes of live storages while real operators run."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.level = self.peak = 0
        self._alive: dict[int, object] = {}

    def watch(self, value: object) -> None:
        """Count the storage of every tensor in ``value``."""
        if isinstance(value, (list, tuple)):
            for item in value:
                self.watch(item)
        elif isinstance(value, torch.Tensor):
            storage = value.untyped_storage()
            key, size = storage._cdata, storage.nbytes()
            if key not in self._alive:
                self.level += size
                self.peak = max(self.peak, self.level)
                self._alive[key] = weakref.finalize(storage, self._died, key, size)

    def _died(self, key: int, size: int) -> None:
        self._alive.pop(key, None)
        self.level -= size

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        result = func(*args, **(kwargs or {}))
        self.watch(result)
        return result


def _perceptron() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.LayerNorm(128), nn.Linear(128, 10))


class _Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(64, 192), nn.Linear(64, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (part.view(8, 8, 4, 16).transpose(1, 2) for part in self.qkv(x.view(8, 8, 64)).split(64, -1))
        scores = functional.softmax(q @ k.transpose(-2, -1) * 0.25, -1) @ v
        result: torch.Tensor = self.out(scores.transpose(1, 2).reshape(64, 64))
        return result


def _step(model: nn.Module, device: str, optimizer: torch.optim.Optimizer) -> None:
    inputs = torch.zeros(64, 64, device=device)
    functional.cross_entropy(model(inputs), torch.zeros(64, dtype=torch.long, device=device)).backward()
    optimizer.step()
    optimizer.zero_grad()


@pytest.mark.parametrize(
    "build", [pytest.param(_perceptron, id="perceptron"), pytest.param(_Attention, id="written-out attention")]
)
def test_live_bytes_are_those_of_real_steps(build: Callable[[], nn.Module]) -> None:
    """Levels agree after every step; the peak differs only where autograd adds in place without a mode."""
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=True)
    with _LiveBytes() as real:
        real.watch(list(model.parameters()))
        for _ in range(2):
            _step(model, "cpu", optimizer)
    real_level = real.level
    with simulate() as simulation:
        model = build().to("cuda")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=True)
        for number in range(2):
            with simulation.step(number):
                _step(model, "cuda", optimizer)
        trace = simulation.trace
    level = peak = 0
    for event in trace.events:
        number = abs(event) - 1
        if not trace.transient[number] and trace.categories[number].value != "workspaces":
            level += trace.sizes[number] if event > 0 else -trace.sizes[number]
            peak = max(peak, level)
    assert level == real_level
    assert peak == real.peak

"""Models of timm: batches that fit or do not fit an RTX 3090, and readings of nvidia-smi on an A100.

The loops are those of timm's ``benchmark.py`` and ``train.py``; the columns of the data say how they were run.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from benchmarks.accuracy.cases import Case, Estimate, of_usage, rows, versions
from dnnlint.estimators.allocator import Category, Phase, Trace, replay
from dnnlint.estimators.devices import find_gpu
from dnnlint.estimators.simulation import SimulatedDevice, simulate

OLD = "1.10"
"""Release of PyTorch whose rows need the softmax of the time; the other rows are of 1.11 and 1.12."""

STEPS = 2
"""The second step has gradients and momentum from its start."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A model and how its loop runs."""

    model: str
    size: int
    channels_last: bool
    amp: bool
    """Autocast to float16 without a scaler, the backward pass inside."""
    keeps_gradients: bool
    nesterov: bool
    keeps_softmax_input: bool = False
    """Before PyTorch 1.11 a softmax kept its input for the backward pass, only to know its type."""


def bounds() -> Iterator[Case]:
    """Yield a case for every model, image size and layout with a two-sided bound."""
    # timm reads it when it is imported: no fused attention in 2022.
    os.environ["TIMM_FUSED_ATTN"] = "0"
    wanted: dict[Setup, set[int]] = defaultdict(set)
    for row in rows("bounds.csv"):
        if row["informative"] == "two-sided" and row["in_timm_1.0.31"] == "yes":
            setup = Setup(row["model"], int(row["img_size"]), row["layout"] == "nhwc", True, True, True)
            wanted[setup] |= {int(row["B_fits"]), int(row["B_not_fit"])}
            if row["torch"] == OLD:
                # Scores of attention have no channels: one layout stands for both.
                kept = replace(setup, channels_last=False, keeps_softmax_input=True)
                wanted[kept] |= {int(row["B_fits"]), int(row["B_not_fit"])}
    # Both layouts of a model hold nearly the same tensors: the first pass covers every model.
    for setup in sorted(wanted, key=lambda s: (s.channels_last, s.keeps_softmax_input, s.model, s.size)):
        name = f"{setup.model}@{setup.size}@{'nhwc' if setup.channels_last else 'nchw'}"
        name += f"@torch-{OLD}" if setup.keeps_softmax_input else ""
        yield Case(name, functools.partial(_at_batches, name, setup, sorted(wanted[setup]), "rtx-3090"))


def smi() -> Iterator[Case]:
    """Yield a case for every model with readings of nvidia-smi."""
    os.environ["TIMM_FUSED_ATTN"] = "1"
    wanted: dict[Setup, set[int]] = defaultdict(set)
    for row in rows("smi_timm.csv"):
        if row["status"] == "ok":
            setup = Setup(row["model"], int(row["img_size"]), False, False, False, False)
            wanted[setup].add(int(row["batch"]))
    for setup in sorted(wanted, key=lambda s: (s.model, s.size)):
        name = f"{setup.model}@{setup.size}"
        yield Case(name, functools.partial(_at_batches, name, setup, sorted(wanted[setup]), "a100-40gb"))


def _at_batches(name: str, setup: Setup, batches: Sequence[int], gpu_name: str) -> list[Estimate]:
    gpu = find_gpu(gpu_name)
    device = SimulatedDevice(gpu.compute_capability, gpu.memory_bytes, gpu.multiprocessors, gpu.name)
    traces = {batch: trace(setup, batch, device) for batch in (batches[0], batches[-1])}
    if setup.keeps_softmax_input and "aten::_softmax" not in traces[batches[0]].operators:
        return []
    made = []
    for batch in batches:
        found = traces.get(batch) or _between(traces[batches[0]], traces[batches[-1]], batches[0], batches[-1], batch)
        if found is None:
            found = trace(setup, batch, device)
        usage = replay(found)
        parameters = sum(
            size for size, kind in zip(found.sizes, found.categories, strict=True) if kind is Category.PARAMETERS
        )
        fits = replay(found, capacity_bytes=gpu.memory_bytes - gpu.context.high_bytes).out_of_memory is None
        estimate = of_usage(f"{name}@{batch}", usage, fits=str(fits), parameter_bytes=parameters)
        made.append(replace(estimate, versions=versions("timm")))
    return made


def _between(low: Trace, high: Trace, first: int, last: int, batch: int) -> Trace | None:
    """Return the trace at a batch between two, where both have the same events and every size is linear."""
    if low.events != high.events:
        return None
    sizes = []
    for one, other in zip(low.sizes, high.sizes, strict=True):
        grown, rest = divmod((other - one) * (batch - first), last - first)
        if rest:
            return None
        sizes.append(one + grown)
    return replace(high, sizes=tuple(sizes))


def trace(setup: Setup, batch: int, device: SimulatedDevice) -> Trace:
    """Run the benchmark's loop for ``STEPS`` steps."""
    keeping = _keeping_softmax_inputs() if setup.keeps_softmax_input else contextlib.nullcontext()
    with simulate(device) as simulation, keeping:
        model = build(setup.model, setup.size).cuda().train()
        layout = torch.channels_last if setup.channels_last else torch.contiguous_format
        model = model.to(memory_format=layout)  # type: ignore[call-overload]
        simulation.watch(model, attribute=False)
        images = torch.zeros(batch, 3, setup.size, setup.size).cuda().to(memory_format=layout)
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9, nesterov=setup.nesterov)
        for number in range(STEPS):
            with simulation.step(number):
                _step(setup, model, images, optimizer)
                with simulation.phase(Phase.OPTIMIZER):
                    optimizer.step()
        return simulation.trace


class _Keep(torch.autograd.Function):
    """Hold a tensor until the backward pass comes by."""

    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, held: torch.Tensor, result: torch.Tensor) -> torch.Tensor:
        """Return ``result``."""
        ctx.save_for_backward(held)
        return result.view_as(result)

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, *gradients: torch.Tensor) -> tuple[None, torch.Tensor]:
        """Pass the gradient on."""
        return None, gradients[0]


@contextlib.contextmanager
def _keeping_softmax_inputs() -> Iterator[None]:
    plain = torch.Tensor.softmax
    keep: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] = _Keep.apply

    def softmax(given: torch.Tensor, dim: int, **options: Any) -> torch.Tensor:
        kept: torch.Tensor = keep(given.detach(), plain(given, dim, **options))
        return kept

    replaced = [(torch.Tensor, "softmax"), (torch, "softmax"), (functional, "softmax")]
    originals = [getattr(owner, name) for owner, name in replaced]
    try:
        for owner, name in replaced:
            setattr(owner, name, softmax)
        yield
    finally:
        for (owner, name), original in zip(replaced, originals, strict=True):
            setattr(owner, name, original)


def _step(setup: Setup, model: nn.Module, images: torch.Tensor, optimizer: torch.optim.Optimizer) -> None:
    optimizer.zero_grad(set_to_none=not setup.keeps_gradients)
    with torch.autocast("cuda", dtype=torch.float16) if setup.amp else contextlib.nullcontext():
        output = model(images)
        output = output[0] if isinstance(output, tuple) else output
        target = torch.zeros(output.shape[0], dtype=torch.long).cuda()
        functional.cross_entropy(output, target).backward()


def build(name: str, size: int) -> nn.Module:
    """Return a model for images of ``size``, which is not always the one it was made for."""
    import timm

    config = timm.get_pretrained_cfg(name)
    own = config.input_size[-1] if config is not None else size
    made: nn.Module
    if own == size:
        made = timm.create_model(name)
    else:
        try:
            made = timm.create_model(name, img_size=size)
        except TypeError:
            made = timm.create_model(name)
    return made

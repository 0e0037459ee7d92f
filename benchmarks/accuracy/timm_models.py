"""Models of timm: batches that fit or do not fit an RTX 3090, and readings of nvidia-smi on an A100.

The loops are those of timm's ``benchmark.py`` and ``train.py``; the columns of the data say how they were run.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import nn
from torch.nn import functional

from benchmarks.accuracy.cases import Case, Estimate, of_usage, rows, versions
from dnnlint.estimators.allocator import Category, Phase, Trace, replay
from dnnlint.estimators.devices import find_gpu
from dnnlint.estimators.simulation import SimulatedDevice, simulate

OLD_DROPOUT = "1.10"
"""Release of PyTorch whose rows need the dropout of the time; the other rows are of 1.11 and 1.12."""

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
    old_dropout: bool = False
    """Before PyTorch 1.11 a dropout of probability 0 made a copy and a mask like any other."""


def bounds() -> Iterator[Case]:
    """Yield a case for every model, image size and layout with a two-sided bound."""
    wanted: dict[Setup, set[int]] = defaultdict(set)
    for row in rows("bounds.csv"):
        if row["informative"] == "two-sided" and row["in_timm_1.0.31"] == "yes":
            last, old = row["layout"] == "nhwc", row["torch"] == OLD_DROPOUT
            for dropout in {False, old}:
                setup = Setup(row["model"], int(row["img_size"]), last, True, True, True, dropout)
                wanted[setup] |= {int(row["B_fits"]), int(row["B_not_fit"])}
    # Both layouts of a model hold nearly the same tensors: the first pass covers every model.
    for setup in sorted(wanted, key=lambda s: (s.channels_last, s.old_dropout, s.model, s.size)):
        name = f"{setup.model}@{setup.size}@{'nhwc' if setup.channels_last else 'nchw'}"
        if not setup.old_dropout:
            yield Case(name, functools.partial(_at_batches, name, setup, sorted(wanted[setup]), "rtx-3090"))
        elif _drops_nothing(_without_weights(setup)):
            name += f"@torch-{OLD_DROPOUT}"
            yield Case(name, functools.partial(_at_batches, name, setup, sorted(wanted[setup]), "rtx-3090"))


def smi() -> Iterator[Case]:
    """Yield a case for every model with readings of nvidia-smi."""
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
    os.environ["TIMM_FUSED_ATTN"] = "0" if setup.amp else "1"
    with simulate(device) as simulation:
        model = build(setup.model, setup.size).cuda().train()
        if setup.old_dropout:
            _use_old_dropout(model)
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


def _drops_nothing(model: nn.Module) -> list[nn.Dropout]:
    """Return the dropouts of probability 0."""
    return [module for module in model.modules() if isinstance(module, nn.Dropout) and module.p == 0]


def _use_old_dropout(model: nn.Module) -> None:
    for module in _drops_nothing(model):
        module.p = 1e-9


def _step(setup: Setup, model: nn.Module, images: torch.Tensor, optimizer: torch.optim.Optimizer) -> None:
    optimizer.zero_grad(set_to_none=not setup.keeps_gradients)
    with torch.autocast("cuda", dtype=torch.float16) if setup.amp else contextlib.nullcontext():
        output = model(images)
        output = output[0] if isinstance(output, tuple) else output
        target = torch.zeros(output.shape[0], dtype=torch.long).cuda()
        functional.cross_entropy(output, target).backward()


def _without_weights(setup: Setup) -> nn.Module:
    with torch.device("meta"):
        return build(setup.model, setup.size)


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

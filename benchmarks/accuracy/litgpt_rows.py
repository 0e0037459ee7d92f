"""Fine-tuning with litgpt: LoRA and adapters under true bfloat16, from its resource tables.

The published peak is that of the first micro-batch, which holds the longest sample. The tables were made with lit-gpt at
revision 8641822 of October 2023; ``DNNLINT_LITGPT`` names a checkout of it, else the installed litgpt is used.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType

import torch
from torch import nn

from benchmarks.accuracy.cases import Case, Estimate, Row, of_usage, rows, versions
from dnnlint.estimators.allocator import replay
from dnnlint.estimators.devices import find_gpu
from dnnlint.estimators.simulation import SimulatedDevice, simulate

CHUNK = 128
"""Tokens of one chunk of the head and of the loss."""

LORA = {"r": 8, "alpha": 16, "dropout": 0.05, "to_query": True, "to_value": True}


def cases() -> Iterator[Case]:
    """Yield the rows with unquantised weights."""
    for row in rows("exact.csv"):
        is_tuned = row["phase"] == "train" and row["precision"] == "bf16-true"
        if row["id"].startswith("litgpt-") and row["tier"] in "AB" and is_tuned:
            yield Case(row["id"], functools.partial(_estimate, row))


def _package() -> str:
    folder = os.environ.get("DNNLINT_LITGPT")
    if folder is None:
        return "litgpt"
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return "lit_gpt"


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{_package()}.{name}")


def _mark(config: str) -> tuple[str, Callable[[nn.Module], None], dict[str, object]]:
    """Return the module of a method, what freezes the other parameters, and options of the configuration."""
    if config.startswith("LoRA"):
        module, options = "lora", dict(LORA)
        if _package() == "litgpt":
            options = {f"lora_{name.removeprefix('to_')}": value for name, value in options.items()}
        return module, _module("lora").mark_only_lora_as_trainable, options
    module = "adapter_v2" if "v2" in config else "adapter"
    return module, getattr(_module(module), f"mark_only_{module}_as_trainable"), {}


def _model(row: Row) -> nn.Module:
    name = row["model_source"].rpartition(" ")[2]
    module, mark, options = _mark(row["config"])
    code = _module(module)
    config = code.Config.from_name(name, **options)
    model: nn.Module = code.GPT(config)
    if module == "adapter_v2" and hasattr(code, "add_adapter_v2_parameters_to_linear_layers"):
        code.add_adapter_v2_parameters_to_linear_layers(model)
    mark(model)
    return model


def _estimate(row: Row) -> list[Estimate]:
    gpu = find_gpu("a100-40gb")
    device = SimulatedDevice(gpu.compute_capability, gpu.memory_bytes, gpu.multiprocessors, gpu.name)
    batch, length = int(row["batch"]), int(row["seq_or_img"])
    loss_of = _module("utils").chunked_cross_entropy
    with simulate(device) as simulation:
        torch.set_default_dtype(torch.bfloat16)
        try:
            with torch.device("cuda"):
                model = _model(row)
        finally:
            torch.set_default_dtype(torch.float32)
        # Set by the training loop, where the default type is float32 again: so are the rotary tables.
        model.max_seq_length = length  # type: ignore[assignment]
        simulation.watch(model, attribute=False)
        trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
        stated = re.search(r"trainable (\d+)", row["config"])
        assert stated is None or int(stated[1]) == trainable, f"{trainable} trainable parameters"
        with simulation.step(0):
            ids = torch.zeros(batch, length, dtype=torch.long).cuda()
            targets = torch.zeros(batch, length, dtype=torch.long).cuda()
            # Fabric turns what a half-precision model returns into float32.
            logits = [part.float() for part in model(ids, lm_head_chunk_size=CHUNK)]
            logits[-1] = logits[-1][..., :-1, :]
            loss = loss_of(logits, targets[..., 1:])
            (loss / 1.0).backward()
        usage = replay(simulation.trace)
    return [replace(of_usage(row["id"], usage), versions=versions("litgpt"))]

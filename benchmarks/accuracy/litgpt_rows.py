"""Fine-tuning with litgpt: LoRA and adapters under true bfloat16.

The resource tables (``litgpt-*``) state the peak of the first micro-batch, which holds the longest sample. They were
published with lit-gpt at revision 0cc02afa of October 2023, whose RMSNorm computes in float32; ``DNNLINT_LITGPT``
names a folder with its package ``lit_gpt``. The configuration hub (``litgpthub-*``) is estimated with the installed
litgpt.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

import torch
from torch import nn

from benchmarks.accuracy.cases import Case, Estimate, Row, of_usage, rows, versions
from dnnlint.estimators.allocator import Phase, replay
from dnnlint.estimators.devices import find_gpu
from dnnlint.estimators.simulation import SimulatedDevice, simulate

CHUNK = 128
"""Tokens of one chunk of the head and of the loss."""

LORA = {"r": 8, "alpha": 16, "dropout": 0.05, "to_query": True, "to_value": True}


def tables() -> Iterator[Case]:
    """Yield the rows of the resource tables with unquantised weights."""
    if "DNNLINT_LITGPT" not in os.environ:
        raise SystemExit("DNNLINT_LITGPT names no folder with the package lit_gpt")
    for row in rows("exact.csv"):
        is_tuned = row["phase"] == "train" and row["precision"] == "bf16-true"
        if row["id"].startswith("litgpt-") and row["tier"] in "AB" and is_tuned:
            yield Case(row["id"], functools.partial(_first_batch, row))


def hub() -> Iterator[Case]:
    """Yield the rows of the configuration hub with LoRA, one GPU and unquantised weights."""
    for row in rows("exact.csv"):
        if row["id"].startswith("litgpthub-") and row["tier"] == "B" and row["precision"] == "bf16-true":
            yield Case(row["id"], functools.partial(_two_steps, row))


def _module(name: str) -> ModuleType:
    folder = os.environ["DNNLINT_LITGPT"]
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(f"lit_gpt.{name}")


def _model(row: Row) -> nn.Module:
    name = row["model_source"].rpartition(" ")[2]
    module = "lora" if row["config"].startswith("LoRA") else "adapter_v2" if "v2" in row["config"] else "adapter"
    code = _module(module)
    model: nn.Module = code.GPT(code.Config.from_name(name, **(LORA if module == "lora" else {})))
    getattr(code, f"mark_only_{module}_as_trainable")(model)
    return model


def _first_batch(row: Row) -> list[Estimate]:
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
    return [replace(of_usage(row["id"], usage), versions=versions() + "; lit-gpt 0cc02afa")]


HUB_MODELS = {
    "gemma2-2b": "Gemma-2-2b",
    "gemma-2b": "Gemma-2b",
    "gemma-7b": "Gemma-7b",
    "llama-2-7b": "Llama-2-7b-hf",
    "llama-3-8b": "Llama-3-8B",
    "llama-3.1-8b": "Llama-3.1-8B",
    "llama-3.2-1b": "Llama-3.2-1B",
    "llama-3.2-3b": "Llama-3.2-3B",
    "mistral-7b": "Mistral-7B-v0.1",
    "mistral-7b-v0.2": "Mistral-7B-v0.2",
    "phi-2": "phi-2",
    "phi-3": "Phi-3-mini-4k-instruct",
    "stablelm-base-alpha-3b": "stablelm-base-alpha-3b",
    "tiny-llama": "tiny-llama-1.1b",
}


def _hub_model(row: Row) -> nn.Module:
    from litgpt import lora

    options: dict[str, object] = {"lora_alpha": 16, "lora_dropout": 0.05}
    for part in row["config"].split(";"):
        name, _, value = part.partition("=")
        options[name] = int(value) if value.isdigit() else value == "true"
    model: nn.Module = lora.GPT(lora.Config.from_name(HUB_MODELS[row["model"]], **options))
    lora.mark_only_lora_as_trainable(model)
    return model


def _two_steps(row: Row) -> list[Estimate]:
    from litgpt.utils import chunked_cross_entropy

    gpu = find_gpu("a10g")
    device = SimulatedDevice(gpu.compute_capability, gpu.memory_bytes, gpu.multiprocessors, gpu.name)
    shape = int(row["batch"]), int(row["seq_or_img"])
    with simulate(device) as simulation:
        torch.set_default_dtype(torch.bfloat16)
        try:
            with torch.device("cuda"):
                model = _hub_model(row)
        finally:
            torch.set_default_dtype(torch.float32)
        model.max_seq_length = shape[1]  # type: ignore[assignment]
        simulation.watch(model, attribute=False)
        optimizer = torch.optim.AdamW(model.parameters())
        for number in range(2):
            with simulation.step(number):
                ids, targets = (torch.zeros(shape, dtype=torch.long).cuda() for _ in range(2))
                logits = [part.float() for part in model(ids, lm_head_chunk_size=CHUNK)]
                logits[-1] = logits[-1][..., :-1, :]
                loss = chunked_cross_entropy(logits, targets[..., 1:])
                (loss / 1.0).backward()
                with simulation.phase(Phase.OPTIMIZER):
                    optimizer.step()
                optimizer.zero_grad()
        usage = replay(simulation.trace)
    return [replace(of_usage(row["id"], usage), versions=versions("litgpt"))]

"""Tables of the Hugging Face documentation that compare eager attention with SDPA.

The script behind them runs forward and backward passes of half-precision weights on random token ids, without an
optimizer, and prints the peak of the passes after the warm-up. The transformers of the time matters: run this
source with version 4.47, in an environment of its own.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import nn

from benchmarks.accuracy.cases import Case, Estimate, Row, of_usage, rows, versions
from dnnlint.estimators.allocator import replay
from dnnlint.estimators.devices import find_gpu
from dnnlint.estimators.simulation import SimulatedDevice, simulate

PASSES = 3

GPUS = {"L40S-45GB": "l40s", "RTX2060-8GB": "rtx-2060"}


def cases() -> Iterator[Case]:
    """Yield the rows whose architecture the tables name."""
    for row in rows("exact.csv"):
        if row["id"].startswith("hfsdpa-") and row["tier"] in "AB":
            yield Case(row["id"], functools.partial(_estimate, row))


def build(name: str, attention: str) -> nn.Module:
    """Return a model with the configuration of the published checkpoint."""
    import transformers

    made: nn.Module
    if "opt-350m" in name:
        config = transformers.OPTConfig(
            hidden_size=1024,
            ffn_dim=4096,
            num_hidden_layers=24,
            num_attention_heads=16,
            word_embed_proj_dim=512,
            do_layer_norm_before=False,
            vocab_size=50272,
            attn_implementation=attention,
        )
        made = transformers.OPTForCausalLM(config)
    elif "distilbert" in name:
        made = transformers.DistilBertForMaskedLM(transformers.DistilBertConfig(attn_implementation=attention))
    elif "biogpt" in name:
        made = transformers.BioGptForCausalLM(transformers.BioGptConfig(attn_implementation=attention))
    else:
        raise ValueError(f"no configuration for {name}")
    return made


def _estimate(row: Row) -> list[Estimate]:
    gpu = find_gpu(GPUS.get(row["gpu"], row["gpu"]))
    device = SimulatedDevice(gpu.compute_capability, gpu.memory_bytes, gpu.multiprocessors, gpu.name)
    shape = int(row["batch"]), int(row["seq_or_img"])
    with simulate(device) as simulation:
        model = build(row["model"], row["attn_impl"]).half().cuda().train()
        simulation.watch(model, attribute=False)
        inputs = {
            "input_ids": torch.zeros(shape, dtype=torch.long),
            "attention_mask": torch.ones(shape, dtype=torch.long),
        }
        inputs = {name: tensor.cuda() for name, tensor in inputs.items()}
        for number in range(PASSES):
            with simulation.step(number):
                if number == PASSES - 1:
                    model.zero_grad()
                outputs = model(**inputs)
                outputs.logits.sum().backward()
        usage = replay(simulation.trace)
    return [replace(of_usage(row["id"], usage), versions=versions("transformers"))]

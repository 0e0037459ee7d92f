"""What is allocated after a step of fine-tuning Llama-3.2-3B with every method of peft.

The benchmark of peft logs ``memory_allocated`` after each of 5,000 steps and publishes the mean. At that moment the
gradients, the optimizer's state and the outputs of the step are alive: logits and the key-value cache of the batch.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator

import torch
from torch import nn

from benchmarks.accuracy.cases import DATA, Case, Estimate, Row, rows, versions
from dnnlint.estimators.allocator import Phase, replay
from dnnlint.estimators.devices import find_gpu
from dnnlint.estimators.simulation import SimulatedDevice, simulate

BATCH = 4
TOKENS = 220
"""Of a sample with its padding: 840 real tokens a batch are published, and batches are bucketed by length."""

STEPS = 2

LLAMA = {
    "hidden_size": 3072,
    "intermediate_size": 8192,
    "num_hidden_layers": 28,
    "num_attention_heads": 24,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "vocab_size": 128256,
    "tie_word_embeddings": True,
    "max_position_embeddings": 131072,
}
"""meta-llama/Llama-3.2-3B."""


def cases() -> Iterator[Case]:
    """Yield the rows of memory after a step."""
    adapters = json.loads((DATA / "peft_adapters.json").read_text(encoding="utf-8"))
    for row in rows("exact.csv"):
        if row["id"] in adapters:
            yield Case(row["id"], functools.partial(_estimate, row, adapters[row["id"]]))


def build(spec: dict[str, object]) -> nn.Module:
    """Return the base model in bfloat16 with the adapter of ``spec``, on the device."""
    import peft
    import transformers

    torch.set_default_dtype(torch.bfloat16)
    try:
        with torch.device("cuda"):
            base = transformers.LlamaForCausalLM(transformers.LlamaConfig(**LLAMA))
    finally:
        torch.set_default_dtype(torch.float32)
    if spec["adapter"] is None:
        model: nn.Module = base
        return model
    assert isinstance(spec["adapter"], dict)
    adapted: nn.Module = peft.get_peft_model(
        base, _config(spec["adapter"]), autocast_adapter_dtype=bool(spec.get("autocast_adapter_dtype", True))
    )
    return adapted


def _config(given: dict[str, object]) -> object:
    import peft

    options = dict(given)
    kind = peft.PEFT_TYPE_TO_CONFIG_MAPPING[peft.PeftType(options.pop("peft_type"))]
    return kind(**options)


def _optimizer(spec: dict[str, object], model: nn.Module) -> torch.optim.Optimizer:
    if spec.get("optimizer") == "lora-fa":
        from peft.optimizers import create_lorafa_optimizer

        made: torch.optim.Optimizer = create_lorafa_optimizer(model, r=32, lora_alpha=64, lr=1e-4, weight_decay=0.1)
        return made
    return torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.1)


def _estimate(row: Row, spec: dict[str, object]) -> list[Estimate]:
    gpu = find_gpu("l40s")
    device = SimulatedDevice(gpu.compute_capability, gpu.memory_bytes, gpu.multiprocessors, gpu.name)
    with simulate(device) as simulation:
        model = build(spec).train()
        simulation.watch(model, attribute=False)
        optimizer = _optimizer(spec, model)
        for number in range(STEPS):
            with simulation.step(number):
                ids = torch.zeros(BATCH, TOKENS, dtype=torch.long).cuda()
                batch = {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": ids.clone()}
                optimizer.zero_grad()
                outputs = model(**batch)
                outputs.loss.backward()
                with simulation.phase(Phase.OPTIMIZER):
                    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                    optimizer.step()
                if isinstance(spec["adapter"], dict) and spec["adapter"]["peft_type"] == "ADALORA":
                    model.base_model.update_and_allocate(number + 1)  # type: ignore[union-attr, operator]
        usage = replay(simulation.trace)
    end = usage.steps[-1].end
    return [Estimate(row["id"], end.allocated_bytes, end.reserved_bytes, versions=versions("peft", "transformers"))]

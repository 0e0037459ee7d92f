"""Rebuilds a row of ``data/oracle.csv`` as a training program."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from benchmarks.plain_models import MODELS
from dnnlint.estimators.allocator import AllocatorConfig, Trace, Usage, replay
from dnnlint.estimators.simulation import (
    Precision,
    SimulatedDevice,
    StepSettings,
    TrainingProgram,
    ZeroGrad,
    enable_checkpointing,
    trace_program,
)

Case = dict[str, Any]
Row = dict[str, str]

ROWS = Path(__file__).parent / "data" / "oracle.csv"
UNLIMITED_BYTES = 1 << 40

MULTIPROCESSORS = {"7.5": 40, "8.0": 108, "8.6": 82, "8.9": 128, "9.0": 132, "10.0": 148}
"""Of the devices whose properties the stub libraries report."""

OPTIMIZERS = {
    "sgd": "SGD",
    "adam": "Adam",
    "adamw": "AdamW",
    "adafactor": "Adafactor",
    "rmsprop": "RMSprop",
    "adagrad": "Adagrad",
}
IMPLEMENTATIONS: dict[str, dict[str, bool]] = {
    "default": {},
    "fused": {"fused": True},
    "foreach": {"foreach": True},
    "loop": {"foreach": False},
}


def rows() -> Iterator[Row]:
    """Yield the rows that fit their device."""
    with ROWS.open(encoding="utf-8", newline="") as file:
        yield from (row for row in csv.DictReader(file) if row["status"] == "ok")


def run(row: Row) -> tuple[Trace, Usage]:
    """Simulate the three steps of a row."""
    case: Case = json.loads(row["case"])
    capability = case["compute_capability"]
    major, _, minor = capability.partition(".")
    device = SimulatedDevice((int(major), int(minor)), multiprocessors=MULTIPROCESSORS[capability])
    trace = trace_program(program(case), case["input"]["batch"], device, settings(case))
    config = AllocatorConfig(expandable_segments=case["expandable_segments"])
    return trace, replay(trace, config, case["device_memory_bytes"] or UNLIMITED_BYTES)


def settings(case: Case) -> StepSettings:
    """Return how a case runs its loop; only the loss lives on, and it is dropped before the next batch."""
    return StepSettings(
        precision=Precision(case["precision"]),
        accumulation=case["accumulation"],
        clip_grad_norm=case["clip_grad_norm"],
        zero_grad=ZeroGrad.NONE if case["set_to_none"] else ZeroGrad.KEEP,
        channels_last=case["channels_last"],
        build_on_device=case["build_on"] == "cuda",
        keeps_variables=False,
    )


def program(case: Case) -> TrainingProgram:
    """Return model, batch, loss and optimizer of a case."""

    def optimizer(model: nn.Module) -> torch.optim.Optimizer:
        options = {"lr": 1e-3, **case["optimizer"].get("kwargs", {})}
        options |= IMPLEMENTATIONS[case["optimizer"].get("impl", "default")]
        make = getattr(torch.optim, OPTIMIZERS[case["optimizer"]["name"]])
        made: torch.optim.Optimizer = make([p for p in model.parameters() if p.requires_grad], **options)
        return made

    return TrainingProgram(
        lambda: build_model(case),
        lambda batch: make_batch({**case["input"], "batch": batch}),
        lambda model, inputs: training_loss(model, inputs, case),
        optimizer,
    )


def build_model(case: Case) -> nn.Module:
    """Build the model of a case with the parameters it trains."""
    model = _architecture(case)
    if case["lora"]:
        import peft

        model = peft.get_peft_model(model, peft.LoraConfig(**case["lora"]))
    elif case["train"] != "all":
        head = case["train"].split(":", 1)[1]
        for name, parameter in model.named_parameters():
            parameter.requires_grad_(name == head or name.startswith(head + "."))
    if case["checkpointing"]:
        enable_checkpointing(model)
        if case["lora"]:
            model.enable_input_require_grads()  # type: ignore[operator]
    return model


def _architecture(case: Case) -> nn.Module:
    model, options = case["model"], case["model"].get("kwargs", {})
    if model["source"] == "plain":
        return MODELS[model["name"]](**options)
    made: nn.Module
    if model["source"] == "torchvision":
        import torchvision

        make = getattr(torchvision.models, model["name"], None)
        made = (make or getattr(torchvision.models.segmentation, model["name"]))(weights=None, **options)
    elif model["source"] == "timm":
        import timm

        made = timm.create_model(model["name"], pretrained=False, **options)
    else:
        import transformers

        config = getattr(transformers, model["config_class"])(**model["config"])
        if case["attention"]:
            config._attn_implementation = case["attention"]
        made = getattr(transformers, model["class"])(config)
    return made


def make_batch(spec: Case) -> dict[str, torch.Tensor]:
    """Return the host tensors of a batch; a padded one has a mask that is not full."""
    batch, kind, size = spec["batch"], spec["kind"], spec.get("size", 0)

    def ids(*shape: int) -> torch.Tensor:
        return torch.zeros(shape, dtype=torch.long)

    images = (batch, spec.get("channels", 3), size, size)
    made = {
        "vector": lambda: {"x": torch.zeros(batch, spec["features"]), "y": ids(batch)},
        "image": lambda: {"x": torch.zeros(images), "y": ids(batch)},
        "segmentation": lambda: {"x": torch.zeros(images), "y": ids(batch, size, size)},
        "reconstruction": lambda: {"x": torch.zeros(images), "y": torch.zeros(images)},
        "ids": lambda: {"x": ids(batch, size), "y": ids(batch * size if spec.get("per_token") else batch)},
        "tokens": lambda: {"input_ids": ids(batch, size), "labels": ids(batch, size)},
        "tokens_class": lambda: {"input_ids": ids(batch, size), "labels": ids(batch)},
        "seq2seq": lambda: {"input_ids": ids(batch, size), "labels": ids(batch, spec["target_size"])},
        "speech_seq2seq": lambda: {
            "input_features": torch.zeros(batch, spec["mels"], spec["frames"]),
            "labels": ids(batch, size),
        },
        "waveform_class": lambda: {"input_values": torch.zeros(batch, size), "labels": ids(batch)},
        "pixels_class": lambda: {"pixel_values": torch.zeros(images), "labels": ids(batch)},
        "image_text": lambda: {"input_ids": ids(batch, spec["text"]), "pixel_values": torch.zeros(images)},
    }[kind]()
    if spec.get("padded"):
        made["attention_mask"] = torch.ones(batch, size, dtype=torch.long)
        made["attention_mask"][:, -1] = 0
    return made


def training_loss(model: nn.Module, inputs: object, case: Case) -> torch.Tensor:
    """Return the loss that a case trains with."""
    assert isinstance(inputs, dict)
    kind = case["input"]["kind"]
    if case["model"]["source"] == "transformers":
        extra = {"return_loss": True} if kind == "image_text" else {}
        own: torch.Tensor = model(**inputs, **extra).loss
        return own
    output, target = model(inputs["x"]), inputs["y"]
    if kind == "reconstruction":
        return functional.mse_loss(output, target)
    if isinstance(output, dict):
        main = functional.cross_entropy(output["out"], target)
        return main + 0.5 * functional.cross_entropy(output["aux"], target) if "aux" in output else main
    if isinstance(output, tuple):
        first, *others = [functional.cross_entropy(part, target) for part in output if part is not None]
        return first + 0.3 * sum(others)
    return functional.cross_entropy(output, target)

"""A sample of the published models, each from forward to optimizer step; the whole zoos run in ``benchmarks``."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the simulation needs PyTorch")

import torch
from torch import nn
from torch.nn import functional

from dnnlint.estimators.allocator import replay
from dnnlint.estimators.simulation import StepSettings, TrainingProgram, trace_program


def _peak(build: object, inputs: object, loss: object) -> int:
    assert callable(build)
    program = TrainingProgram(build, inputs, loss, lambda model: torch.optim.AdamW(model.parameters()))  # type: ignore[arg-type]
    return replay(trace_program(program, 2, settings=StepSettings(steps=2))).steady.peaks.allocated_bytes


def _classify(build: object) -> int:
    def inputs(batch: int) -> object:
        return torch.zeros(batch, 3, 224, 224), torch.zeros(batch, dtype=torch.long)

    return _peak(build, inputs, lambda model, batch: functional.cross_entropy(model(batch[0]), batch[1]))


@pytest.mark.parametrize("name", ["resnet18", "vit_b_16", "swin_t", "mobilenet_v3_small", "convnext_tiny"])
def test_torchvision(name: str) -> None:
    """Models of torchvision train."""
    torchvision = pytest.importorskip("torchvision", reason="torchvision is not installed for this PyTorch")
    parameters = sum(p.numel() for p in getattr(torchvision.models, name)().parameters())
    assert _classify(lambda: getattr(torchvision.models, name)()) > 16 * parameters


@pytest.mark.parametrize("name", ["efficientnet_b0", "maxvit_tiny_rw_224", "mixer_s32_224"])
def test_timm(name: str) -> None:
    """Models of timm train."""
    timm = pytest.importorskip("timm", reason="timm is not installed")
    assert _classify(lambda: timm.create_model(name)) > 1 << 20


@pytest.mark.parametrize(
    "name", ["GPT2LMHeadModel", "LlamaForCausalLM", "BertForMaskedLM", "T5ForConditionalGeneration"]
)
def test_transformers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models of transformers train with the loss they return."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    model_class = getattr(transformers, name)
    config = model_class.config_class(
        num_hidden_layers=2, hidden_size=128, num_attention_heads=4, intermediate_size=256
    )
    if config.is_encoder_decoder:
        config.decoder_start_token_id = 0

    def build() -> nn.Module:
        model: nn.Module = model_class(config)
        return model

    ids = lambda batch: torch.zeros(batch, 32, dtype=torch.long)  # noqa: E731 - one argument, used once
    assert _peak(build, ids, lambda model, batch: model(input_ids=batch, labels=batch).loss) > 1 << 20

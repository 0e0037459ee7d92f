"""Share of published model families that trace, from forward to optimizer step.

    python -m benchmarks.estimate_zoo torchvision|timm|transformers [NAME ...]

Prints one line a model and the share at the end; no weights are loaded and nothing is computed.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import torch
from torch import nn
from torch.nn import functional

from dnnlint.estimators.allocator import replay
from dnnlint.estimators.simulation import StepSettings, TrainingProgram, trace_program

BATCH = 2
TOKENS = 64
SKIPPED_TIMM = {"_builder", "_factory", "_features", "_hub", "_manipulate", "_registry"}

TRANSFORMERS = [
    "albert:ForMaskedLM",
    "bart:ForConditionalGeneration",
    "bert:ForMaskedLM",
    "big_bird:ForMaskedLM",
    "blenderbot:ForConditionalGeneration",
    "bloom:ForCausalLM",
    "camembert:ForMaskedLM",
    "canine:ForSequenceClassification",
    "codegen:ForCausalLM",
    "convbert:ForMaskedLM",
    "ctrl:LMHeadModel",
    "deberta:ForMaskedLM",
    "deberta_v2:ForMaskedLM",
    "distilbert:ForMaskedLM",
    "electra:ForMaskedLM",
    "falcon:ForCausalLM",
    "fnet:ForMaskedLM",
    "funnel:ForMaskedLM",
    "gemma:ForCausalLM",
    "gemma2:ForCausalLM",
    "gpt2:LMHeadModel",
    "gpt_bigcode:ForCausalLM",
    "gpt_neo:ForCausalLM",
    "gpt_neox:ForCausalLM",
    "gptj:ForCausalLM",
    "granite:ForCausalLM",
    "led:ForConditionalGeneration",
    "llama:ForCausalLM",
    "longformer:ForMaskedLM",
    "longt5:ForConditionalGeneration",
    "mbart:ForConditionalGeneration",
    "mistral:ForCausalLM",
    "mixtral:ForCausalLM",
    "mobilebert:ForMaskedLM",
    "modernbert:ForMaskedLM",
    "mpnet:ForMaskedLM",
    "mpt:ForCausalLM",
    "mt5:ForConditionalGeneration",
    "olmo:ForCausalLM",
    "opt:ForCausalLM",
    "pegasus:ForConditionalGeneration",
    "phi:ForCausalLM",
    "phi3:ForCausalLM",
    "qwen2:ForCausalLM",
    "qwen3:ForCausalLM",
    "rembert:ForMaskedLM",
    "roberta:ForMaskedLM",
    "roformer:ForMaskedLM",
    "stablelm:ForCausalLM",
    "t5:ForConditionalGeneration",
    "xglm:ForCausalLM",
    "xlm_roberta:ForMaskedLM",
    "beit:ForImageClassification",
    "convnext:ForImageClassification",
    "deit:ForImageClassification",
    "dinov2:ForImageClassification",
    "mobilevit:ForImageClassification",
    "resnet:ForImageClassification",
    "segformer:ForImageClassification",
    "swin:ForImageClassification",
    "vit:ForImageClassification",
    "hubert:ForSequenceClassification",
    "wav2vec2:ForSequenceClassification",
    "whisper:ForConditionalGeneration",
]

Case = tuple[str, TrainingProgram]


def _image_loss(model: nn.Module, batch: object) -> torch.Tensor:
    images, labels = batch  # type: ignore[misc]
    output = model(images)
    if isinstance(output, dict):
        output = output["out"]
    if isinstance(output, (tuple, list)):
        output = output[0]
    if output.dim() == 2:
        return functional.cross_entropy(output, labels)
    return output.float().mean()


def _sgd(model: nn.Module) -> torch.optim.Optimizer:
    return torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def _classifier(build: Callable[[], nn.Module], shape: tuple[int, ...]) -> TrainingProgram:
    def batch(size: int) -> object:
        return torch.zeros(size, *shape), torch.zeros(size, dtype=torch.long)

    return TrainingProgram(build, batch, _image_loss, _sgd)


def _detector(build: Callable[[], nn.Module]) -> TrainingProgram:
    def batch(size: int) -> object:
        target = {"boxes": torch.tensor([[10.0, 10.0, 100.0, 100.0]]), "labels": torch.ones(1, dtype=torch.long)}
        target |= {"masks": torch.ones(1, 256, 256, dtype=torch.uint8), "keypoints": torch.ones(1, 17, 3)}
        return [torch.zeros(3, 256, 256) for _ in range(size)], [dict(target) for _ in range(size)]

    def loss(model: nn.Module, inputs: object) -> torch.Tensor:
        images, targets = inputs  # type: ignore[misc]
        losses = model(images, targets)
        total: torch.Tensor = sum(losses.values())
        return total

    return TrainingProgram(build, batch, loss, _sgd)


def torchvision_cases() -> Iterator[Case]:
    """Yield every model that torchvision lists."""
    import torchvision

    for name in torchvision.models.list_models():

        def build(name: str = name) -> nn.Module:
            return torchvision.models.get_model(name, weights=None, **_no_backbone(name))

        if (
            "rcnn" in name
            or name in ("fcos_resnet50_fpn", "retinanet_resnet50_fpn", "ssd300_vgg16")
            or "ssd" in name
            or "retinanet" in name
        ):
            yield name, _detector(build)
        elif name == "raft_large" or name == "raft_small":
            yield name, _flow(build)
        elif any(part in name for part in ("r3d", "mc3", "r2plus1d", "s3d", "mvit", "swin3d")):
            yield name, _classifier(build, (3, 16, 224, 224))
        else:
            yield name, _classifier(build, (3, 299, 299) if name == "inception_v3" else (3, 224, 224))


def _no_backbone(name: str) -> dict[str, object]:
    detection = any(part in name for part in ("rcnn", "fcos", "retinanet", "ssd", "fcn", "deeplab", "lraspp"))
    return {"weights_backbone": None} if detection else {}


def _flow(build: Callable[[], nn.Module]) -> TrainingProgram:
    def loss(model: nn.Module, inputs: object) -> torch.Tensor:
        first, second = inputs  # type: ignore[misc]
        total: torch.Tensor = sum(flow.abs().mean() for flow in model(first, second))
        return total

    return TrainingProgram(
        build, lambda size: (torch.zeros(size, 3, 128, 128), torch.zeros(size, 3, 128, 128)), loss, _sgd
    )


def timm_cases() -> Iterator[Case]:
    """Yield the first model of every family (module) of timm."""
    import timm

    for family in sorted(set(timm.list_modules()) - SKIPPED_TIMM):
        names = timm.list_models(module=family)
        if names:
            shape = timm.get_pretrained_cfg(names[0])
            size = tuple(shape.input_size) if shape is not None else (3, 224, 224)
            yield f"{family}: {names[0]}", _classifier(lambda name=names[0]: timm.create_model(name), size)  # type: ignore[misc]


def transformers_cases() -> Iterator[Case]:
    """Yield 64 model classes of transformers with their default configuration, two layers deep."""
    import transformers

    for entry in TRANSFORMERS:
        model_type, suffix = entry.split(":")
        config_class = type(
            transformers.AutoConfig.for_model(
                model_type.replace("_", "-") if model_type in ("deberta_v2", "xlm_roberta") else model_type
            )
        )
        model_class = getattr(transformers, config_class.__name__.removesuffix("Config") + suffix)
        yield entry, _language_model(model_class, config_class)


def _small(config_class: type) -> object:
    config = config_class()
    for name in ("num_hidden_layers", "encoder_layers", "decoder_layers", "num_decoder_layers"):
        value = getattr(config, name, None)
        if isinstance(value, int) and value > 4 and config.model_type not in ("gpt_neo", "swin", "funnel"):
            setattr(config, name, 2)
    if config.model_type == "gpt_neo":
        config.attention_types, config.num_layers = [[["global", "local"], 1]], 2
        config.attention_layers = ["global", "local"]
    if isinstance(getattr(config, "layer_types", None), list) and hasattr(config, "num_hidden_layers"):
        config.layer_types = config.layer_types[: config.num_hidden_layers]
    config.use_cache = False
    if getattr(config, "is_encoder_decoder", False) and getattr(config, "decoder_start_token_id", None) is None:
        config.decoder_start_token_id = 0
    if getattr(config, "pad_token_id", None) is None:
        config.pad_token_id = 0
    return config


def _language_model(model_class: type, config_class: type) -> TrainingProgram:
    def build() -> nn.Module:
        model: nn.Module = model_class(_small(config_class))
        return model

    def batch(size: int) -> object:
        config = config_class()
        name = getattr(model_class, "main_input_name", "input_ids")
        if name == "pixel_values":
            side = getattr(config, "image_size", 224)
            side = side if isinstance(side, int) else side[0]
            return {name: torch.zeros(size, 3, side, side), "labels": torch.zeros(size, dtype=torch.long)}
        if name == "input_values":
            return {name: torch.zeros(size, 16000), "labels": torch.zeros(size, dtype=torch.long)}
        ids = torch.ones(size, TOKENS, dtype=torch.long)
        if name == "input_features":
            return {name: torch.zeros(size, config.num_mel_bins, 2 * config.max_source_positions), "labels": ids}
        labels = torch.zeros(size, dtype=torch.long) if "Classification" in model_class.__name__ else ids
        return {"input_ids": ids, "labels": labels}

    def loss(model: nn.Module, inputs: object) -> torch.Tensor:
        result: torch.Tensor = model(**inputs).loss  # type: ignore[arg-type]
        return result

    return TrainingProgram(build, batch, loss, lambda model: torch.optim.AdamW(model.parameters()))


ZOOS = {"torchvision": torchvision_cases, "timm": timm_cases, "transformers": transformers_cases}


def main(arguments: list[str]) -> int:
    """Trace the models of one zoo (those whose name holds one of the given texts) and print the share that does."""
    warnings.simplefilter("ignore")
    wanted = arguments[1:]
    traced = failed = 0
    for name, program in ZOOS[arguments[0]]():
        if wanted and not any(text in name for text in wanted):
            continue
        started = time.process_time()
        try:
            peaks = replay(trace_program(program, BATCH, settings=StepSettings(steps=2))).steady.peaks
        except Exception as error:
            failed += 1
            print(
                f"{name}: {type(error).__name__}: {str(error).splitlines()[0][:200] if str(error) else ''}", flush=True
            )
            if os.environ.get("DNNLINT_TRACEBACK"):
                raise
            continue
        traced += 1
        print(f"{name}: {peaks.allocated_bytes / 2**20:.1f} MiB, {time.process_time() - started:.2f} s", flush=True)
    print(f"{arguments[0]}: {traced} of {traced + failed} traced ({100 * traced / max(1, traced + failed):.1f} %)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

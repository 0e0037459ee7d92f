"""Models by name: torchvision, timm and Hugging Face transformers."""

from __future__ import annotations

import difflib
import importlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from dnnlint.estimators.errors import TargetError
from dnnlint.estimators.options import EstimateOptions, InputSpec, Scalar
from dnnlint.estimators.targets.inputs import MakeInputs, from_specs, text_lengths

DETECTION_SIZE = 800
SEQUENCE_TO_SEQUENCE, MASKED, CAUSAL = "AutoModelForSeq2SeqLM", "AutoModelForMaskedLM", "AutoModelForCausalLM"
_HEADS = (MASKED, CAUSAL, SEQUENCE_TO_SEQUENCE, "AutoModelForImageClassification", "AutoModelForAudioClassification", "AutoModel")


@dataclass(frozen=True, slots=True)
class ZooModel:
    """How to build a model of a zoo, and its inputs where the zoo knows them."""

    build: Callable[[], nn.Module]
    inputs: Callable[[nn.Module, EstimateOptions, bool], tuple[str, MakeInputs] | None]


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise TargetError(f"{name} is not installed: {error}.", f"Run pip install {name} in the environment of dnnlint.") from error


def _unknown(zoo: str, name: str, known: Iterable[str]) -> TargetError:
    near = difflib.get_close_matches(name, list(known), n=5, cutoff=0.4)
    return TargetError(f"{zoo} has no model '{name}'.", f"Nearest: {', '.join(near) or 'none'}.")


def torchvision_model(name: str, arguments: Mapping[str, Scalar]) -> ZooModel:
    """Return a model of ``torchvision.models``, without weights."""
    models = _library("torchvision.models")
    if name not in models.list_models():
        raise _unknown("torchvision", name, models.list_models())
    options = {"weights": None, **arguments}
    return ZooModel(lambda: models.get_model(name, **options), _detection_inputs)


def _detection_inputs(model: nn.Module, options: EstimateOptions, training: bool) -> tuple[str, MakeInputs] | None:
    if not type(model).__module__.startswith("torchvision.models.detection"):
        return None
    size = options.image_size or DETECTION_SIZE

    def make(batch: int) -> tuple[Any, ...]:
        images = [torch.empty(3, size, size) for _ in range(batch)]
        return (images, [_one_box(model, size) for _ in range(batch)]) if training else (images,)

    return f"images 3x{size}x{size} with one box each, torchvision's detection interface", make


def _one_box(model: nn.Module, size: int) -> dict[str, torch.Tensor]:
    box = torch.tensor([[0.0, 0.0, size / 2, size / 2]])
    target = {"boxes": box, "labels": torch.ones(1, dtype=torch.int64)}
    name = type(model).__name__
    if name == "MaskRCNN":
        target["masks"] = torch.ones(1, size, size, dtype=torch.uint8)
    if name == "KeypointRCNN":
        target["keypoints"] = torch.ones(1, 17, 3)
    return target


def timm_model(name: str, arguments: Mapping[str, Scalar]) -> ZooModel:
    """Return a model of timm, without weights; its own configuration gives the input."""
    timm = _library("timm")
    if not timm.is_model(name.partition(".")[0]):
        raise _unknown("timm", name, timm.list_models())
    return ZooModel(lambda: timm.create_model(name, pretrained=False, **arguments), lambda model, options, training: None)


def hugging_face_model(kind: str, arguments: Mapping[str, Scalar]) -> ZooModel:
    """Return the model of a transformers configuration class with its default sizes."""
    auto = _library("transformers.models.auto.configuration_auto")
    if kind not in auto.CONFIG_MAPPING:
        raise _unknown("transformers", kind, auto.CONFIG_MAPPING.keys())
    return _from_config(auto.CONFIG_MAPPING[kind](**arguments))


def hugging_face_config(path: Path, arguments: Mapping[str, Scalar]) -> ZooModel:
    """Return the model that a ``config.json`` describes."""
    try:
        text = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TargetError(f"'{path}' is no readable JSON file: {error}.", "Give the config.json of a model.") from error
    if not isinstance(text, dict) or "model_type" not in text:
        raise TargetError(f"'{path}' names no model_type.", "Give the config.json of a Hugging Face model.")
    auto = _library("transformers.models.auto.configuration_auto")
    if text["model_type"] not in auto.CONFIG_MAPPING:
        raise _unknown("transformers", str(text["model_type"]), auto.CONFIG_MAPPING.keys())
    return _from_config(auto.CONFIG_MAPPING[text["model_type"]].from_dict({**text, **arguments}))


def _from_config(config: Any) -> ZooModel:
    transformers = _library("transformers")
    if hasattr(config, "use_cache"):
        # Training loops switch it off; with it every layer's keys and values stay alive.
        config.use_cache = False

    def build() -> nn.Module:
        architecture = (getattr(config, "architectures", None) or [""])[0]
        if hasattr(transformers, architecture):
            model = getattr(transformers, architecture)._from_config(config)
        else:
            heads = (SEQUENCE_TO_SEQUENCE, *_HEADS) if getattr(config, "is_encoder_decoder", False) else _HEADS
            head = next(name for name in heads if type(config) in getattr(transformers, name)._model_mapping or name == "AutoModel")
            model = getattr(transformers, head).from_config(config)
        assert isinstance(model, nn.Module)
        return model

    return ZooModel(build, _hugging_face_inputs)


def _hugging_face_inputs(model: Any, options: EstimateOptions, training: bool) -> tuple[str, MakeInputs] | None:
    """Return the main input with labels where the head computes a loss; no padding, so no attention mask."""
    config, main = model.config, getattr(model, "main_input_name", "input_ids")
    name = type(model).__name__
    if main == "input_ids":
        length = text_lengths(model, options)[0]
        main_spec = InputSpec((length,), "int64", main)
        label = InputSpec((length,), "int64", "labels")
        labelled = name.endswith(("LMHeadModel", "ForMaskedLM", "ForCausalLM", "ForConditionalGeneration", "ForPreTraining"))
    elif main == "pixel_values":
        size = options.image_size or getattr(config, "image_size", 224) or 224
        size = size if isinstance(size, int) else size[0]
        main_spec = InputSpec((getattr(config, "num_channels", 3), size, size), "float32", main)
        label = InputSpec((), "int64", "labels")
        labelled = name.endswith("ForImageClassification")
    else:
        return None
    specs = (main_spec, label) if labelled and training else (main_spec,)
    text = ", ".join(f"{spec.name} {'x'.join(map(str, spec.shape)) or 'one'}" for spec in specs)
    return f"{text} for each sample, no padding; from the model's configuration", from_specs(specs)

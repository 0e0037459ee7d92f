"""Models of Hugging Face transformers, from a model type or a config.json, without weights."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from torch import nn

from dnnlint.estimators.errors import TargetError
from dnnlint.estimators.options import EstimateOptions, InputSpec, Scalar
from dnnlint.estimators.targets.inputs import MakeInputs, from_specs, text_lengths
from dnnlint.estimators.targets.zoo import ZooModel, load_library, unknown_model

_SEQUENCE_TO_SEQUENCE = ("AutoModelForSeq2SeqLM", "AutoModelForSpeechSeq2Seq")
_HEADS = (
    "AutoModelForMaskedLM",
    "AutoModelForCausalLM",
    *_SEQUENCE_TO_SEQUENCE,
    "AutoModelForImageClassification",
    "AutoModelForAudioClassification",
    "AutoModel",
)
AUDIO_SAMPLES = 16000
"""One second at the rate that the audio models expect."""

AUDIO_FRAMES = 3000
"""Thirty seconds of log-mel features, which Whisper always takes."""

TRANSCRIPT_TOKENS = 128
LABELS_NAME = "labels"


def from_type(kind: str, arguments: Mapping[str, Scalar]) -> ZooModel:
    """Return the model of a configuration class with its default sizes."""
    mapping = load_library("transformers.models.auto.configuration_auto").CONFIG_MAPPING
    if kind not in mapping:
        raise unknown_model("transformers", kind, mapping.keys())
    return _model(mapping[kind](**arguments))


def from_file(path: Path, arguments: Mapping[str, Scalar]) -> ZooModel:
    """Return the model that a ``config.json`` describes."""
    try:
        text = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TargetError(f"'{path}' is no readable JSON file: {error}.", "Give the config.json of a model.") from error
    if not isinstance(text, dict) or "model_type" not in text:
        raise TargetError(f"'{path}' names no model_type.", "Give the config.json of a Hugging Face model.")
    mapping = load_library("transformers.models.auto.configuration_auto").CONFIG_MAPPING
    if text["model_type"] not in mapping:
        raise unknown_model("transformers", str(text["model_type"]), mapping.keys())
    return _model(mapping[text["model_type"]].from_dict({**text, **arguments}))


def _model(config: Any) -> ZooModel:
    transformers = load_library("transformers")
    if hasattr(config, "use_cache"):
        # Training loops switch it off; with it every layer's keys and values stay alive.
        config.use_cache = False
    if getattr(config, "is_encoder_decoder", False) and getattr(config, "decoder_start_token_id", None) is None:
        config.decoder_start_token_id = getattr(config, "pad_token_id", None) or 0

    def build() -> nn.Module:
        model = _class_of(transformers, config)._from_config(config)
        assert isinstance(model, nn.Module)
        return model

    return ZooModel(build, _inputs)


def _class_of(transformers: Any, config: Any) -> Any:
    """Return the class that the configuration names, else the first head that knows its type."""
    named = (getattr(config, "architectures", None) or [""])[0]
    if named and hasattr(transformers, named):
        return getattr(transformers, named)
    heads = (*_SEQUENCE_TO_SEQUENCE, *_HEADS) if getattr(config, "is_encoder_decoder", False) else _HEADS
    for head in heads:
        mapping = getattr(transformers, head)._model_mapping
        if type(config) in mapping:
            found = mapping[type(config)]
            return found[0] if isinstance(found, (tuple, list)) else found
    raise TargetError(
        f"transformers maps no model to {type(config).__name__}.", "Name the class in 'architectures' of a config.json."
    )


def _inputs(model: Any, options: EstimateOptions, training: bool) -> tuple[str, MakeInputs] | None:
    """Return the main input, with labels where the head computes a loss; no padding, so no attention mask."""
    main = _main_input(model, options)
    if main is None:
        return None
    specs = (main, *(_labels(model, main) if training else ()))
    text = ", ".join(f"{spec.name} {'x'.join(map(str, spec.shape)) or 'one'}" for spec in specs)
    return f"{text} for each sample, no padding; from the model's configuration", from_specs(specs)


def _main_input(model: Any, options: EstimateOptions) -> InputSpec | None:
    config, name = model.config, str(getattr(model, "main_input_name", "input_ids"))
    if name == "input_ids":
        return InputSpec((text_lengths(model, options)[0],), "int64", name)
    if name == "pixel_values":
        size = options.image_size or getattr(config, "image_size", None) or 224
        sides = (size, size) if isinstance(size, int) else tuple(size)
        return InputSpec((getattr(config, "num_channels", 3), *sides), "float32", name)
    if name == "input_values":
        return InputSpec((options.seq_len or AUDIO_SAMPLES,), "float32", name)
    if name == "input_features" and hasattr(config, "num_mel_bins"):
        return InputSpec((config.num_mel_bins, options.seq_len or AUDIO_FRAMES), "float32", name)
    if name == "input_features" and hasattr(config, "input_feat_per_channel"):
        return InputSpec((options.seq_len or AUDIO_FRAMES // 3, config.input_feat_per_channel), "float32", name)
    return None


def _labels(model: Any, main: InputSpec) -> Iterator[InputSpec]:
    """Yield one class for a classifier, one token for each position of a language model, nothing without a loss."""
    if LABELS_NAME not in inspect.signature(model.forward).parameters:
        return
    if "Classification" in type(model).__name__:
        yield InputSpec((), "int64", LABELS_NAME)
    elif main.name == "input_ids":
        yield InputSpec(main.shape, "int64", LABELS_NAME)
    elif getattr(model.config, "is_encoder_decoder", False):
        yield InputSpec((TRANSCRIPT_TOKENS,), "int64", LABELS_NAME)

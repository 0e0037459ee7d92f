"""Inputs for a model that does not say what it takes: guesses in order of likelihood, each tried by a forward pass."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn

from dnnlint.estimators.options import EstimateOptions, InputSpec

MakeInputs = Callable[[int], Any]
"""From a batch size to what the model is called with: a tensor, a tuple or a dictionary."""

IMAGE_SIZES = (224, 32, 28, 64, 96, 128, 256, 299, 384, 512)
LATENT_SIZES = (1, 4, 7, 8, 16)
MOST_LAYERS = 4
"""So many layers beside the first are tried as the one that takes the input."""

TEXT_LENGTH = 512
LONGEST_TEXT = 1024
"""Where only the position limit of a language model is known, which may be far above what it is trained with."""

_LENGTHS_TRAINED = ("block_size", "context_length", "seq_len", "seq_length", "max_seq_len", "sequence_length", "n_ctx")
_LENGTHS_LIMIT = ("max_position_embeddings", "n_positions", "max_length", "max_len")
LABELS = ("labels", "targets", "target", "label", "y")
"""Names of what a loss compares with, by likelihood."""

_TAKING_INPUTS = (nn.modules.conv._ConvNd, nn.Linear, nn.RNNBase, nn.Embedding)
_TIMES = ("t", "time", "times", "timestep", "timesteps", "sigma", "noise_level")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One guess; ``text`` says what it is, ``source`` where it comes from."""

    text: str
    make: MakeInputs
    source: str = "probe"
    is_known: bool = False
    """True where a file, a library or a configuration describes it."""


def from_specs(specs: tuple[InputSpec, ...]) -> MakeInputs:
    """Return a maker of the tensors that ``--input`` describes: one, a tuple, or a dictionary by name."""
    if not specs[0].name and len(specs) == 1:
        return lambda batch: host_tensor(specs[0], batch)
    if not specs[0].name:
        return lambda batch: tuple(host_tensor(spec, batch) for spec in specs)
    return lambda batch: {spec.name: host_tensor(spec, batch) for spec in specs}


def host_tensor(spec: InputSpec, batch: int) -> torch.Tensor:
    """Make one input on the host; integers are zeros, valid as indices, and masks let everything through."""
    dtype = getattr(torch, spec.dtype)
    shape = (batch, *spec.shape)
    if dtype.is_floating_point:
        return torch.empty(shape, dtype=dtype)
    return (
        torch.ones(shape, dtype=dtype)
        if "mask" in spec.name or dtype == torch.bool
        else torch.zeros(shape, dtype=dtype)
    )


def candidates(model: nn.Module, options: EstimateOptions, with_labels: bool) -> Iterator[Candidate]:
    """Yield guesses from the model's first layers, its configuration and the names of its forward's parameters."""
    required, optional = _forward_parameters(model)
    config = getattr(model, "pretrained_cfg", None) or getattr(model, "default_cfg", None)
    if isinstance(config, dict) and config.get("input_size") and options.image_size is None:
        known = _candidate([InputSpec(tuple(config["input_size"]))], required, "the model's own input_size")
        yield replace(known, is_known=True)
    for specs, labelled in _guesses(model, options):
        label = next((name for name in LABELS if name in optional), None) if labelled and with_labels else None
        if label is not None:
            yield _labelled(specs[0], required, label)
        yield _candidate(specs, required, "the model's first layer")


def _forward_parameters(model: nn.Module) -> tuple[list[str], list[str]]:
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        signature = inspect.signature(model.forward)
    except (TypeError, ValueError):
        return [], []
    named = [parameter for parameter in signature.parameters.values() if parameter.kind in plain]
    required = [parameter.name for parameter in named if parameter.default is inspect.Parameter.empty]
    return required, [parameter.name for parameter in named if parameter.name not in required]


def _candidate(specs: list[InputSpec], required: list[str], source: str) -> Candidate:
    """Repeat the first guess for every further required parameter, which suits (source, target) and image pairs."""
    further = [InputSpec((), "int64") if name in _TIMES else specs[0] for name in required[len(specs) :]]
    full = [*specs, *further]
    return Candidate(f"{_text(full)}, from {source}", from_specs(tuple(full)))


def _labelled(spec: InputSpec, required: list[str], label: str) -> Candidate:
    first = required[0] if required else "input_ids"
    named = (InputSpec(spec.shape, spec.dtype, first), InputSpec(spec.shape, spec.dtype, label))
    return Candidate(f"{_text(list(named))}, from the forward's parameters", from_specs(named))


def _text(specs: list[InputSpec]) -> str:
    return ", ".join(":".join(filter(None, [spec.name, spec.dtype, "x".join(map(str, spec.shape))])) for spec in specs)


def _guesses(model: nn.Module, options: EstimateOptions) -> Iterator[tuple[list[InputSpec], bool]]:
    """Yield input descriptions, and whether they are tokens that could be their own labels."""
    layers = _layers(model)
    first, others = (layers[0] if layers else None), layers[1:]
    yield from ((spec, False) for spec in _for_layer(first, options))
    if any(isinstance(module, nn.Embedding) for module in model.modules()):
        for length in text_lengths(model, options):
            yield [InputSpec((length,), "int64")], True
    if isinstance(first, nn.Embedding):
        yield [InputSpec((), "int64")], False
    # Layers are not always registered in the order in which they are called: narrow ones are near the input.
    for layer in sorted(others, key=_width)[:MOST_LAYERS]:
        yield from ((spec, False) for spec in _for_layer(layer, options))
    for channels in _kernel_channels(model):
        yield from (([InputSpec((channels, side, side))], False) for side in _sides(options))


def _for_layer(layer: nn.Module | None, options: EstimateOptions) -> Iterator[list[InputSpec]]:
    size, length = options.image_size, options.seq_len
    shapes: list[tuple[int, ...]] = []
    if isinstance(layer, nn.Conv2d):
        shapes = [(layer.in_channels, side, side) for side in _sides(options)]
    elif isinstance(layer, nn.ConvTranspose2d):
        shapes = [(layer.in_channels, side, side) for side in ((size,) if size else LATENT_SIZES)]
    elif isinstance(layer, nn.Conv3d):
        clips = ((16, 112), (16, 224), (32, 32))
        shapes = [(layer.in_channels, frames, size or side, size or side) for frames, side in clips]
    elif isinstance(layer, nn.Conv1d):
        shapes = [(layer.in_channels, steps) for steps in ((length,) if length else (16000, 128))]
    elif isinstance(layer, nn.Linear):
        shapes = [(layer.in_features,), (length or 128, layer.in_features)]
    elif isinstance(layer, nn.RNNBase):
        shapes = [(length or 128, layer.input_size)]
    elif isinstance(layer, (nn.LayerNorm, nn.RMSNorm)):
        shapes = [(length or 128, *layer.normalized_shape), tuple(layer.normalized_shape)]
    elif isinstance(getattr(layer, "num_features", None), int):
        shapes = [(int(getattr(layer, "num_features", 0)),)]
    yield from ([InputSpec(shape)] for shape in shapes)


def _sides(options: EstimateOptions) -> tuple[int, ...]:
    return (options.image_size,) if options.image_size else IMAGE_SIZES


def _layers(model: nn.Module) -> list[nn.Module]:
    """Return the layers that could take the input, one for each kind and width, in the order of their registration."""
    found: dict[tuple[type[nn.Module], int], nn.Module] = {}
    for module in model.modules():
        if isinstance(module, _TAKING_INPUTS) or (
            not list(module.children()) and next(module.parameters(recurse=False), None) is not None
        ):
            found.setdefault((type(module), _width(module)), module)
    return list(found.values())


def _width(layer: nn.Module) -> int:
    """Return how many channels or features a layer takes."""
    names = ("in_channels", "in_features", "input_size", "num_features")
    return next((size for name in names if isinstance(size := getattr(layer, name, None), int)), 1 << 30)


def _kernel_channels(model: nn.Module) -> list[int]:
    """Return the channels that bare parameters take which look like the kernels of convolutions."""
    kernels = [parameter for module in model.modules() for parameter in module.parameters(recurse=False)]
    return sorted({kernel.shape[1] for kernel in kernels if kernel.dim() == 4})[:1]


def text_lengths(model: nn.Module, options: EstimateOptions) -> list[int]:
    """Return sequence lengths to try: the option, the length the model is trained with, its limit, usual ones."""
    if options.seq_len is not None:
        return [options.seq_len]
    owners = (getattr(model, "config", None), model)
    trained = [getattr(owner, name, None) for owner in owners for name in _LENGTHS_TRAINED]
    limits = [getattr(owner, name, None) for owner in owners for name in _LENGTHS_LIMIT]
    lengths = [size for size in trained if isinstance(size, int) and size > 0]
    lengths += [min(size, LONGEST_TEXT) for size in limits if isinstance(size, int) and size > 0]
    return list(dict.fromkeys([*lengths, TEXT_LENGTH, 128]))

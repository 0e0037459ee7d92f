"""Models by name: torchvision and timm."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from dnnlint.estimators.errors import TargetError
from dnnlint.estimators.options import EstimateOptions, Scalar
from dnnlint.estimators.targets.inputs import MakeInputs
from dnnlint.estimators.targets.packages import how_to_install

DETECTION_SIZE = 800


@dataclass(frozen=True, slots=True)
class ZooModel:
    """How to build a model of a zoo, and its inputs where the zoo knows them."""

    build: Callable[[], nn.Module]
    inputs: Callable[[nn.Module, EstimateOptions, bool], tuple[str, MakeInputs] | None]


def load_library(name: str) -> Any:
    """Import a library of models, or say how to install it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        top, missing = name.partition(".")[0], error.name or name
        what = top if missing.partition(".")[0] == top else f"{missing}, which {top} needs,"
        raise TargetError(f"{what} is not installed.", how_to_install(missing)) from error
    except (ImportError, RuntimeError, OSError) as error:
        top = name.partition(".")[0]
        raise TargetError(
            f"{top} cannot be imported: {error}.", f"Install a {top} that suits PyTorch {torch.__version__}."
        ) from error


def unknown_model(zoo: str, name: str, known: Iterable[str]) -> TargetError:
    """Return the error for a name that a library does not have, with the nearest it has."""
    near = difflib.get_close_matches(name, list(known), n=5, cutoff=0.4)
    return TargetError(f"{zoo} has no model '{name}'.", f"Nearest: {', '.join(near) or 'none'}.")


def torchvision_model(name: str, arguments: Mapping[str, Scalar]) -> ZooModel:
    """Return a model of ``torchvision.models``, without weights."""
    models = load_library("torchvision.models")
    if name not in models.list_models():
        raise unknown_model("torchvision", name, models.list_models())
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
    timm = load_library("timm")
    if not timm.is_model(name.partition(".")[0]):
        raise unknown_model("timm", name, timm.list_models())
    return ZooModel(
        lambda: timm.create_model(name, pretrained=False, **arguments), lambda model, options, training: None
    )

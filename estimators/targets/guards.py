"""Make what only costs time or needs a network a no-op that is reported: weights, checkpoints, initial values.

The guards stay for the life of the process; they are meant for the child of the sandbox.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import torch

from dnnlint.estimators.errors import TargetError
from dnnlint.estimators.targets.notes import Notes

Patch = Callable[[ModuleType, Notes], None]


class Weights(dict[str, Any]):
    """Stands for a checkpoint that was not read: any entry is another one of these."""

    def __missing__(self, key: str) -> Weights:
        """Answer every entry, as ``checkpoint["state_dict"]`` expects."""
        return Weights()


def install(notes: Notes) -> None:
    """Replace downloads, checkpoint files and initialisers; libraries imported later are patched as they come."""
    _skip_checkpoints(notes)
    _skip_initialisers()
    for name, patch in _PATCHES.items():
        if name in sys.modules:
            patch(sys.modules[name], notes)
    sys.meta_path.insert(0, _PatchingFinder(notes))


def _skip_checkpoints(notes: Notes) -> None:
    import torch.hub

    def skip_loading(*arguments: object, **options: object) -> Weights:
        notes.notice("weights or checkpoints were not read: values do not change memory")
        return Weights()

    def skip_copying(self: object, *arguments: object, **options: object) -> object:
        notes.notice("load_state_dict was skipped: values do not change memory")
        return torch.nn.modules.module._IncompatibleKeys([], [])

    def skip_saving(*arguments: object, **options: object) -> None:
        notes.notice("torch.save was skipped")

    replacements: list[tuple[Any, str, Callable[..., object]]] = [
        (torch, "load", skip_loading),
        (torch, "save", skip_saving),
        (torch.hub, "load_state_dict_from_url", skip_loading),
        (torch.nn.Module, "load_state_dict", skip_copying),
        (torch.optim.Optimizer, "load_state_dict", skip_copying),
    ]
    for owner, name, function in replacements:
        setattr(owner, name, function)


def _skip_initialisers() -> None:
    """Initial values do not change memory, and some initialisers decompose matrices on the host."""

    def keep(tensor: torch.Tensor, *arguments: object, **options: object) -> torch.Tensor:
        return tensor

    for name in dir(torch.nn.init):
        if name.endswith("_") and not name.startswith("_") and callable(getattr(torch.nn.init, name)):
            setattr(torch.nn.init, name, keep)


class _PatchingFinder(importlib.abc.MetaPathFinder):
    """Apply the patch of a module right after its import."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of a module that has a patch, its loader wrapped; None for all others."""
        patch = _PATCHES.get(name)
        if patch is None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return None
        run = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            run(module)
            patch(module, self._notes)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def _patch_torchvision(module: ModuleType, notes: Notes) -> None:
    """Models took the function by name when they were imported."""
    module.load_state_dict_from_url = torch.hub.load_state_dict_from_url  # type: ignore[attr-defined]


def _patch_timm(module: ModuleType, notes: Notes) -> None:
    def skip(*arguments: object, **options: object) -> None:
        notes.notice("pretrained weights were not downloaded: values do not change memory")

    module.load_pretrained = skip  # type: ignore[attr-defined]


def _patch_transformers(module: ModuleType, notes: Notes) -> None:
    """Build from the configuration what ``from_pretrained`` would build and then fill."""

    def from_pretrained(cls: Any, name: object, /, *arguments: object, **options: Any) -> Any:
        notes.notice("pretrained weights were not downloaded: values do not change memory")
        config = options.get("config") or _local_config(cls, name)
        half = options.get("dtype") or options.get("torch_dtype")
        attention = options.get("attn_implementation")
        extra: dict[str, Any] = {"attn_implementation": attention} if attention else {}
        if isinstance(half, torch.dtype):
            extra["dtype"] = half
        return cls._from_config(config, **extra)

    module.PreTrainedModel.from_pretrained = classmethod(from_pretrained)


def _local_config(cls: Any, name: object) -> object:
    try:
        return cls.config_class.from_pretrained(name, local_files_only=True)
    except Exception as error:
        raise TargetError(
            f"The configuration of '{name}' is not on this machine.",
            "Download it once (AutoConfig.from_pretrained), or estimate its config.json or hf/MODEL_TYPE.",
        ) from error


_PATCHES: Mapping[str, Patch] = {
    "torchvision.models._api": _patch_torchvision,
    "timm.models._builder": _patch_timm,
    "transformers.modeling_utils": _patch_transformers,
}

"""Replaces what of ``torch.cuda`` and its neighbours would look for a real device."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import torch
import torch.utils.checkpoint
from torch import nn

from dnnlint.estimators.allocator import NoteKind
from dnnlint.estimators.simulation import autocast
from dnnlint.estimators.simulation.function_mode import CUDA, device_of

if TYPE_CHECKING:
    from dnnlint.estimators.simulation.device import SimulatedDevice
    from dnnlint.estimators.simulation.lifetimes import Recorder


class _Nothing:
    """Stands for streams, events and device guards: accepts every call and is its own context."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        pass

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *args, **kwargs: None

    def __enter__(self) -> _Nothing:
        return self

    def __exit__(self, *details: object) -> None:
        return None


class _Properties:
    """``torch.cuda.get_device_properties``."""

    def __init__(self, device: SimulatedDevice) -> None:
        self.name = device.name
        self.major, self.minor = device.compute_capability
        self.total_memory = device.total_memory_bytes
        self.multi_processor_count = device.multiprocessors


class Patches:
    """Attributes replaced for a while, put back in reverse order."""

    def __init__(self) -> None:
        """Start with nothing replaced."""
        self._undo = contextlib.ExitStack()

    def set(self, owner: object, name: str, value: object) -> None:
        """Replace an attribute."""
        if hasattr(owner, name):
            self._undo.callback(setattr, owner, name, getattr(owner, name))
        else:
            self._undo.callback(delattr, owner, name)
        setattr(owner, name, value)

    def set_existing(self, owner: object, name: str, value: object) -> None:
        """Replace an attribute that some versions of PyTorch lack."""
        if hasattr(owner, name):
            self.set(owner, name, value)

    def undo(self) -> None:
        """Put everything back."""
        self._undo.close()


@contextlib.contextmanager
def patched(device: SimulatedDevice, recorder: Recorder, cache: autocast.WeightCache) -> Iterator[None]:
    """Let the program find a CUDA device while the context lasts."""
    patches = Patches()
    try:
        _patch_cuda(patches, device)
        _patch_accelerator(patches)
        _patch_autocast(patches, cache)
        _patch_parameters(patches, recorder)
        _patch_storages(patches, recorder)
        _patch_compile(patches, recorder)
        _patch_checkpoint(patches)
        yield
    finally:
        patches.undo()


def _patch_cuda(patches: Patches, device: SimulatedDevice) -> None:
    properties = _Properties(device)
    has_bfloat16 = device.compute_capability >= (8, 0)
    patches.set(torch.cuda, "is_bf16_supported", lambda including_emulation=True: including_emulation or has_bfloat16)
    answers: dict[str, object] = {
        "is_available": True,
        "device_count": 1,
        "current_device": 0,
        "is_initialized": False,
        "get_device_name": device.name,
        "get_device_capability": device.compute_capability,
        "get_device_properties": properties,
        "get_arch_list": [],
        "memory_stats": {},
        "mem_get_info": (device.total_memory_bytes, device.total_memory_bytes),
        "is_current_stream_capturing": False,
        "utilization": 0,
        "memory_summary": "",
    }
    for name, value in answers.items():
        patches.set_existing(torch.cuda, name, _answering(value))
    for name in ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"):
        patches.set(torch.cuda, name, _answering(0))
    for name in (
        "synchronize", "empty_cache", "manual_seed", "manual_seed_all", "seed", "seed_all", "set_device",
        "_lazy_init", "init", "reset_peak_memory_stats", "reset_max_memory_allocated", "reset_accumulated_memory_stats",
        "ipc_collect", "set_rng_state", "set_rng_state_all", "set_per_process_memory_fraction", "set_stream",
    ):  # fmt: skip
        patches.set_existing(torch.cuda, name, _answering(None))
    patches.set(torch.cuda, "get_rng_state", lambda *args: torch.zeros(16, dtype=torch.uint8))
    for name in ("device", "Stream", "Event", "stream", "current_stream", "default_stream", "device_of"):
        patches.set(torch.cuda, name, _Nothing)


def _answering(value: object) -> Callable[..., object]:
    return lambda *args, **kwargs: value


def _patch_accelerator(patches: Patches) -> None:
    accelerator = getattr(torch, "accelerator", None)
    if accelerator is not None:
        for name, value in {
            "is_available": True,
            "device_count": 1,
            "current_accelerator": CUDA,
            "current_device_index": 0,
            "current_device_idx": 0,
            "synchronize": None,
            "empty_cache": None,
            "current_stream": _Nothing(),
        }.items():
            patches.set_existing(accelerator, name, _answering(value))
    for name in ("_accelerator_graph_capture_health_check", "_cuda_graph_capture_health_check"):
        patches.set_existing(torch.optim.Optimizer, name, _answering(None))
    patches.set(torch, "Generator", _generator_type(torch.Generator))


def _generator_type(real: type[torch.Generator]) -> type:
    """Make a stand-in for ``torch.Generator`` that gives host generators, and can stand in annotations."""

    class GeneratorType(type):
        def __call__(cls, device: object = "cpu") -> torch.Generator:
            asked = device_of(device)
            return real() if asked is None or asked.type == "cuda" else real(asked)

        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, real)

    return GeneratorType("Generator", (), {})


def _patch_autocast(patches: Patches, cache: autocast.WeightCache) -> None:
    """Follow ``torch.autocast('cuda')`` by including or excluding the key that the policies are registered at."""
    enable, clear = torch.set_autocast_enabled, torch.clear_autocast_cache

    def set_enabled(*args: object) -> None:
        enable(*args)  # type: ignore[call-overload]
        if args[0] == "cuda" or isinstance(args[0], bool):
            torch._C._dispatch_tls_set_dispatch_key_excluded(autocast.KEY, not args[-1])

    def clear_cache() -> None:
        cache.clear()
        clear()

    patches.set(torch, "set_autocast_enabled", set_enabled)
    patches.set(torch, "clear_autocast_cache", clear_cache)


def _patch_parameters(patches: Patches, recorder: Recorder) -> None:
    """Make small parameters, too, tensors without content: ties between them must outlive ``model.cuda()``."""
    make = nn.Parameter.__new__

    def without_content(
        kind: type[nn.Parameter], data: torch.Tensor | None = None, requires_grad: bool = True
    ) -> nn.Parameter:
        if data is not None and type(data) in (torch.Tensor, nn.Parameter) and data.device.type == "cpu":
            with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():
                if not data.is_meta:
                    data = torch.empty_strided(data.shape, data.stride(), dtype=data.dtype, device="meta")
                    recorder.track(data, "parameter", on_host=True)
        return make(kind, data, requires_grad)

    patches.set(nn.Parameter, "__new__", without_content)


def _patch_storages(patches: Patches, recorder: Recorder) -> None:
    resize = torch.UntypedStorage.resize_

    def resize_and_record(storage: torch.UntypedStorage, size: int) -> object:
        result = resize(storage, size)
        recorder.resized(storage)
        return result

    patches.set(torch.UntypedStorage, "resize_", resize_and_record)


def _patch_compile(patches: Patches, recorder: Recorder) -> None:
    def compile_eagerly(model: object = None, **options: object) -> object:
        recorder.note(NoteKind.NOTICE, "torch.compile is estimated as eager execution; compiled memory differs")
        return model if model is not None else lambda function: function

    def compile_module(module: nn.Module, **options: object) -> None:
        compile_eagerly(module)

    # Weights are given to the layer as they are; the chunk that cuDNN wants them in has the same bytes.
    patches.set(nn.RNNBase, "flatten_parameters", _answering(None))
    patches.set(torch, "compile", compile_eagerly)
    patches.set(nn.Module, "compile", compile_module)


def _patch_checkpoint(patches: Patches) -> None:
    """Compare recomputed tensors by shape and type alone: their device depends on where the hook runs."""
    checks = torch.utils.checkpoint._allowed_determinism_checks_to_fns
    shape_and_type = {"default": lambda tensor: {"shape": tensor.shape, "dtype": tensor.dtype}}
    patches.set(torch.utils.checkpoint, "_allowed_determinism_checks_to_fns", {**checks, **shape_and_type})

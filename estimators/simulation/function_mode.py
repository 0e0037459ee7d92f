"""The function mode: makes meta tensors say that they are on CUDA, and moves tensors between host and device."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch.overrides import TorchFunctionMode

from dnnlint.estimators.allocator import NoteKind
from dnnlint.estimators.simulation import values
from dnnlint.estimators.simulation.lifetimes import Recorder
from dnnlint.estimators.simulation.shapes import META

CUDA = torch.device("cuda", 0)
CPU = torch.device("cpu")

Arguments = Sequence[object]
Options = Mapping[str, object]
Handler = Callable[["CudaFunctionMode", Callable[..., object], Arguments, Options], object]


def device_of(value: object) -> torch.device | None:
    """Read a device from what a program may pass as one; ``None`` when it is none."""
    if isinstance(value, torch.device):
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return torch.device("cuda", value)
    if isinstance(value, str):
        return torch.device(value)
    return None


class CudaFunctionMode(TorchFunctionMode):
    """Translates between the device names of the program and meta tensors."""

    def __init__(self, recorder: Recorder) -> None:
        """Ask ``recorder`` which storages lie on the host."""
        super().__init__()
        self.recorder = recorder

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: Sequence[type],
        args: Arguments = (),
        kwargs: Options | None = None,
    ) -> object:
        """Handle one call of the PyTorch API."""
        handler = _HANDLERS.get(func)
        if handler is not None:
            return handler(self, func, args, kwargs or {})
        if not kwargs:
            return func(*args)
        device = device_of(kwargs.get("device"))
        if device is not None:
            kwargs = {**kwargs, "device": META if device.type == "cuda" else device}
        return func(*args, **kwargs)

    def on_device(self, tensor: torch.Tensor) -> bool:
        """Say whether a tensor is one on the simulated device."""
        return tensor.is_meta and not self.recorder.is_host(tensor)

    def device(self, tensor: torch.Tensor) -> torch.device:
        """Return the device the program sees."""
        if not tensor.is_meta:
            return tensor.device
        return CPU if self.recorder.is_host(tensor) else CUDA

    def moved(self, tensor: torch.Tensor, device: torch.device, **options: object) -> torch.Tensor:
        """Return ``tensor`` on ``device``, itself when it is already there as asked."""
        here = self.on_device(tensor)
        if (device.type == "cuda") == here:
            wanted = {name: option for name, option in options.items() if option is not None}
            return tensor.to(**wanted) if wanted else tensor  # type: ignore[call-overload]
        target = META if device.type == "cuda" else CPU
        dtype = options.get("dtype")
        layout = options.get("memory_format")
        return torch.ops.aten._to_copy.default(tensor, dtype=dtype, device=target, memory_format=layout)  # type: ignore[no-any-return]


def _tensor(args: Arguments) -> torch.Tensor:
    tensor = args[0]
    assert isinstance(tensor, torch.Tensor)
    return tensor


def _to(mode: CudaFunctionMode, func: Callable[..., object], args: Arguments, kwargs: Options) -> object:
    """``Tensor.to``: with a dtype, a device and perhaps a dtype, or another tensor."""
    tensor, rest = _tensor(args), list(args[1:])
    options = dict(kwargs)
    device = device_of(options.pop("device", None))
    other = options.pop("other", None)
    if rest and isinstance(rest[0], torch.Tensor):
        other = rest.pop(0)
    if isinstance(other, torch.Tensor):
        device = mode.device(other)
        options.setdefault("dtype", other.dtype)
    elif rest and not isinstance(rest[0], torch.dtype):
        device = device_of(rest.pop(0)) or device
    if rest and isinstance(rest[0], torch.dtype):
        options["dtype"] = rest.pop(0)
    options.update(zip(("non_blocking", "copy"), rest, strict=False))
    options.pop("non_blocking", None)
    if device is None or device.type not in ("cuda", "cpu"):
        return tensor.to(**options if device is None else {"device": device, **options})  # type: ignore[call-overload]
    return mode.moved(tensor, device, **options)


def _cuda(mode: CudaFunctionMode, func: Callable[..., object], args: Arguments, kwargs: Options) -> object:
    return mode.moved(_tensor(args), CUDA)


def _cpu(mode: CudaFunctionMode, func: Callable[..., object], args: Arguments, kwargs: Options) -> object:
    return mode.moved(_tensor(args), CPU)


def _from_data(mode: CudaFunctionMode, func: Callable[..., object], args: Arguments, kwargs: Options) -> object:
    """``torch.tensor`` and its like: made on the host, then moved."""
    device = device_of(kwargs.get("device"))
    if device is None or device.type != "cuda":
        return func(*args, **kwargs)
    options = {name: option for name, option in kwargs.items() if name not in ("device", "requires_grad")}
    tensor = func(*args, **options)
    assert isinstance(tensor, torch.Tensor)
    result = mode.moved(tensor, device)
    return result.requires_grad_() if kwargs.get("requires_grad") else result


def _content(mode: CudaFunctionMode, func: Callable[..., object], args: Arguments, kwargs: Options) -> object:
    """``numpy``, ``tolist`` and printing: real values where known, zeros elsewhere."""
    tensor = _tensor(args)
    if not tensor.is_meta:
        return func(*args, **kwargs)
    known = values.value_of(tensor)
    if known is None:
        mode.recorder.note(NoteKind.PLACEHOLDER, f"values read at {values.caller()}: zeros stand for them")
        known = torch.zeros((), dtype=tensor.dtype).expand(tensor.shape)
    return func(known, *args[1:], **kwargs)


def _pinned(mode: CudaFunctionMode, func: Callable[..., object], args: Arguments, kwargs: Options) -> object:
    return _tensor(args)


_HANDLERS: dict[object, Handler] = {
    torch.Tensor.device.__get__: lambda mode, func, args, kwargs: mode.device(_tensor(args)),
    torch.Tensor.is_cuda.__get__: lambda mode, func, args, kwargs: mode.on_device(_tensor(args)),  # type: ignore[attr-defined]
    torch.Tensor.is_cpu.__get__: lambda mode, func, args, kwargs: not mode.on_device(_tensor(args)),  # type: ignore[attr-defined]
    torch.Tensor.is_meta.__get__: lambda mode, func, args, kwargs: False,  # type: ignore[attr-defined]
    torch.Tensor.get_device: lambda mode, func, args, kwargs: 0 if mode.on_device(_tensor(args)) else -1,
    torch.Tensor.is_pinned: lambda mode, func, args, kwargs: False,
    torch.Tensor.pin_memory: _pinned,
    torch.Tensor.to: _to,
    torch.Tensor.cuda: _cuda,
    torch.Tensor.cpu: _cpu,
    torch.Tensor.numpy: _content,
    torch.Tensor.tolist: _content,
    torch.Tensor.__format__: _content,
    torch.Tensor.__array__: _content,
    torch.tensor: _from_data,
    torch.as_tensor: _from_data,
    torch.asarray: _from_data,
}

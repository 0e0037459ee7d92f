"""Small programs, run on the simulated device and, when the sequences were recorded, by PyTorch's CUDA dispatcher."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional

DEVICE = "cuda"
DTYPES = {"float32": torch.float32, "float16": torch.float16}


def _new(*shape: int, dtype: torch.dtype = torch.float32, grad: bool = True) -> torch.Tensor:
    return torch.empty(*shape, device=DEVICE, dtype=dtype, requires_grad=grad)


def _sum(shape: tuple[int, ...], dims: tuple[int, ...], dtype: torch.dtype) -> Callable[[], torch.Tensor]:
    return lambda: _new(*shape, dtype=dtype, grad=False).sum(dims)


def _attention(size: int, dtype: torch.dtype, masked: bool, dropout: float) -> Callable[[], torch.Tensor]:
    def run() -> torch.Tensor:
        q, k, v = (_new(2, 300, 4, size, dtype=dtype).transpose(1, 2) for _ in range(3))
        mask = _new(2, 1, 300, 304, dtype=dtype, grad=False)[..., :300] if masked else None
        result = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout)
        return result.transpose(1, 2).reshape(2, 300, 4 * size)

    return run


def _embedding(count: int, rows: int, width: int, dtype: torch.dtype) -> Callable[[], torch.Tensor]:
    def run() -> torch.Tensor:
        indices = torch.zeros(count, dtype=torch.long, device=DEVICE)
        return functional.embedding(indices, _new(rows, width, dtype=dtype))

    return run


def _layer(
    make: Callable[[torch.dtype], nn.Module], shape: tuple[int, ...], dtype: torch.dtype
) -> Callable[[], object]:
    return lambda: make(dtype)(_new(*shape, dtype=dtype))


def _optimizer(name: str, **options: object) -> Callable[[], object]:
    def run() -> object:
        parameters = [nn.Parameter(torch.empty(count, device=DEVICE)) for count in (3000, 70000, 4, 1 << 20)]
        optimizer = getattr(torch.optim, name)(parameters, lr=0.1, **options)
        for _ in range(2):
            for parameter in parameters:
                parameter.grad = torch.empty_like(parameter)
            optimizer.step()
        return optimizer

    return run


def _amp(program: Callable[[], object]) -> Callable[[], object]:
    def run() -> object:
        with torch.autocast("cuda", dtype=torch.float16):
            return program()

    return run


LAYERS: dict[str, tuple[Callable[[torch.dtype], nn.Module], tuple[int, ...]]] = {
    "linear": (lambda t: nn.Linear(64, 128, device=DEVICE, dtype=t), (4, 32, 64)),
    "convolution": (lambda t: nn.Conv2d(16, 32, 3, padding=1, device=DEVICE, dtype=t), (4, 16, 64, 64)),
    "transposed convolution": (
        lambda t: nn.ConvTranspose2d(16, 8, 2, stride=2, device=DEVICE, dtype=t),
        (4, 16, 64, 64),
    ),
    "layer norm of many rows": (lambda t: nn.LayerNorm(96, device=DEVICE, dtype=t), (100_352, 96)),
    "layer norm of few rows": (lambda t: nn.LayerNorm(768, device=DEVICE, dtype=t), (1568, 768)),
    "batch norm": (lambda t: nn.BatchNorm2d(64, device=DEVICE), (4, 64, 32, 32)),
    "group norm": (lambda t: nn.GroupNorm(8, 64, device=DEVICE, dtype=t), (4, 64, 32, 32)),
    "rms norm": (lambda t: nn.RMSNorm(512, device=DEVICE, dtype=t), (64, 128, 512)),
    "gelu": (lambda t: nn.GELU(), (64, 64)),
    "dropout": (lambda t: nn.Dropout(0.1), (64, 1024)),
    "softmax": (lambda t: nn.Softmax(-1), (16, 12, 128, 128)),
}

SUMS: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((8192, 768), (0,)),
    ((32, 64, 56, 56), (0, 2, 3)),
    ((4, 2, 256, 256), (0, 2, 3)),
    ((1 << 24,), (0,)),
    ((64, 197, 768), (0, 1)),
    ((8192, 50257), (0,)),
    ((2, 1_000_000), (1,)),
    ((7, 333, 11), (1,)),
)


def operator_cases() -> dict[str, Callable[[], object]]:
    """Return all programs by a name that reads."""
    cases: dict[str, Callable[[], object]] = {}
    for name, dtype in DTYPES.items():
        for shape, dims in SUMS:
            cases[f"sum of {shape} over {dims}, {name}"] = _sum(shape, dims, dtype)
        for size in (32, 64, 96, 128, 160):
            cases[f"attention with heads of {size}, {name}"] = _attention(size, dtype, False, 0.0)
            cases[f"attention with heads of {size} and a mask, {name}"] = _attention(size, dtype, True, 0.0)
        cases[f"attention with dropout, {name}"] = _attention(64, dtype, False, 0.1)
        for count, rows, width in ((8192, 50257, 768), (1024, 1024, 768), (3073, 1000, 64)):
            cases[f"embedding of {count} in {rows} x {width}, {name}"] = _embedding(count, rows, width, dtype)
        for layer, (make, shape) in LAYERS.items():
            cases[f"{layer}, {name}"] = _layer(make, shape, dtype)
    for layer in ("linear", "convolution", "group norm", "gelu", "softmax", "batch norm"):
        cases[f"{layer}, autocast"] = _amp(_layer(*LAYERS[layer], torch.float32))
    for options in ({}, {"fused": True}, {"foreach": False}, {"weight_decay": 0.1}):
        cases[f"AdamW {options}"] = _optimizer("AdamW", **options)
    cases["SGD with momentum and weight decay"] = _optimizer("SGD", momentum=0.9, weight_decay=0.1)
    for name in ("RMSprop", "Adagrad", "Adamax", "NAdam"):
        cases[name] = _optimizer(name)
    return cases


def run(program: Callable[[], object]) -> object:
    """Run a program forward and, where its result has a gradient, backward."""
    result = program()
    if isinstance(result, torch.Tensor) and result.requires_grad:
        result.backward(torch.empty_like(result))
    return result


def warm_up() -> None:
    """Multiply once forward and backward, so that the cuBLAS workspaces exist."""
    first = torch.empty(2, 2, device=DEVICE, requires_grad=True)
    torch.mm(first, torch.empty(2, 2, device=DEVICE)).sum().backward()

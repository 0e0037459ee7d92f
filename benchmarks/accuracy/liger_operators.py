"""Plain PyTorch layers and losses as the operator benchmark of Liger-Kernel measures them.

The benchmark calls an operator ten times, keeps gradients between the calls, and reports the median of the peaks. Both
layers that it compares are on the device at once, so a second set of weights is alive.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import torch
from torch import nn
from torch.nn import functional

from benchmarks.accuracy.cases import Case, Estimate, Row, of_usage, rows, versions
from dnnlint.estimators.allocator import replay
from dnnlint.estimators.devices import find_gpu
from dnnlint.estimators.simulation import SimulatedDevice, simulate

CALLS = 3
BF16 = torch.bfloat16

Config = Mapping[str, object]
Call = Callable[[], object]


def _number(config: Config, name: str) -> int:
    value = config[name]
    assert isinstance(value, int)
    return value


def _dtype(config: Config) -> torch.dtype:
    found = getattr(torch, str(config["dtype"]).rpartition(".")[2])
    assert isinstance(found, torch.dtype)
    return found


class _GatedMlp(nn.Module):
    """``down(act(gate(x)) * up(x))``, the feed-forward layer of Llama."""

    def __init__(self, hidden: int, inner: int) -> None:
        super().__init__()
        self.gate, self.up = nn.Linear(hidden, inner, bias=False), nn.Linear(hidden, inner, bias=False)
        self.down = nn.Linear(inner, hidden, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the output of the layer."""
        result: torch.Tensor = self.down(functional.gelu(self.gate(x), approximate="tanh") * self.up(x))
        return result


def _geglu(config: Config, x: int, mode: str) -> Call:
    hidden, dtype = _number(config, "hidden_size"), _dtype(config)
    source = torch.randn(_number(config, "bsz"), x, hidden, device="cuda", dtype=dtype, requires_grad=True)
    layer = _GatedMlp(hidden, _number(config, "intermediate_size")).to("cuda").to(dtype)
    if mode == "forward":
        # One process measures all modes, so the thread of the backward pass has its workspace by then.
        layer(source).sum().backward()
        layer.zero_grad()
        source.grad = None
        return lambda: layer(source)
    if mode == "backward":
        gradient, output = torch.randn_like(source), layer(source)
        return lambda: output.backward(gradient, retain_graph=True)

    def full() -> None:
        result = layer(source)
        result.backward(torch.randn_like(result), retain_graph=True)

    return full


def _normalised(x: torch.Tensor) -> torch.Tensor:
    variance = x.pow(2).mean(-1, keepdim=True)
    return x * torch.rsqrt(variance + 1e-6)


def _rms_norm(config: Config, x: int, mode: str) -> Call:
    dtype = _dtype(config)
    weight, _ = (nn.Parameter(torch.ones(x, device="cuda")) for _ in range(2))
    source = torch.randn(_number(config, "M"), x, dtype=dtype, device="cuda")
    gradient = torch.randn_like(source)
    source.requires_grad_(True)

    def forward(hidden: torch.Tensor) -> torch.Tensor:
        before = hidden.dtype
        hidden = hidden.to(torch.float32)
        hidden = _normalised(hidden)
        return weight * hidden.to(before)

    def full() -> None:
        result = forward(source)
        result.backward(gradient, retain_graph=True)

    return full


def _add_rms_norm(config: Config, x: int, mode: str) -> Call:
    dtype = _dtype(config)
    weights = [nn.Parameter(torch.ones(x, device="cuda")) for _ in range(3)]
    sources = [torch.randn(_number(config, "M"), x, dtype=dtype, device="cuda") for _ in range(2)]
    gradients = [torch.randn_like(source) for source in sources]
    for source in sources:
        source.requires_grad_(True)

    def forward(hidden: torch.Tensor, residual: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        before = hidden.dtype
        hidden = hidden.to(torch.float32)
        residual = residual.to(torch.float32)
        hidden = hidden + residual
        residual = hidden
        hidden = _normalised(hidden)
        return weights[0] * hidden.to(before), residual.to(before)

    def full() -> None:
        first, second = forward(*sources)
        torch.autograd.backward((first, second), gradients)

    return full


def _head(config: Config, times: int = 1) -> list[nn.Linear]:
    hidden, words = _number(config, "H"), _number(config, "V")
    return [nn.Linear(hidden, words, bias=False, dtype=_dtype(config), device="cuda") for _ in range(times)]


def _linear_cross_entropy(config: Config, x: int, mode: str) -> Call:
    heads = _head(config, 2)
    source = torch.randn(x, _number(config, "H"), requires_grad=True, dtype=_dtype(config), device="cuda")
    target = torch.zeros(x, 1, dtype=torch.long, device="cuda").squeeze(1)

    def full() -> None:
        # A module's forward keeps its logits until it returns.
        def loss() -> torch.Tensor:
            logits = heads[0](source)
            return functional.cross_entropy(logits, target)

        loss().backward()

    return full


def _jsd(log_q: torch.Tensor, log_p: torch.Tensor) -> torch.Tensor:
    """Jensen-Shannon divergence of two distributions given by their logarithms, summed over the classes."""

    def divergence(middle: torch.Tensor, log_target: torch.Tensor) -> torch.Tensor:
        each = functional.kl_div(torch.log(middle), log_target, reduction="none", log_target=True)
        return each.sum(dim=-1)

    log_p, log_q = log_p.to(torch.float), log_q.to(torch.float)
    middle = torch.lerp(torch.exp(log_q), torch.exp(log_p), 0.5)
    loss = 0.5 * divergence(middle, log_p) + 0.5 * divergence(middle, log_q)
    return (loss / log_q.shape[0]).sum().to(BF16)


def _linear_jsd(config: Config, x: int, mode: str) -> Call:
    student, teacher = _head(config, 2)
    # The benchmark gives both pairs of layers the same two new weights.
    hidden, dtype = _number(config, "H"), _dtype(config)
    source = torch.rand(x, hidden, requires_grad=True, dtype=dtype, device="cuda")
    given = torch.rand(x, hidden, dtype=dtype, device="cuda")

    def loss() -> torch.Tensor:
        ours, theirs = student(source), teacher(given)
        log_q = torch.log_softmax(ours / 1.0, dim=-1)
        log_p = torch.log_softmax(theirs / 1.0, dim=-1)
        return _jsd(log_q, log_p)

    return lambda: loss().backward()


def _rotated(x: torch.Tensor, rotation: torch.Tensor) -> torch.Tensor:
    return torch.view_as_real(x * rotation[:, :, None, :]).flatten(3)


def _as_complex(x: torch.Tensor) -> torch.Tensor:
    return torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))


def _rope(config: Config, x: int, mode: str) -> Call:
    hidden = _number(config, "hidden_size") if "hidden_size" in config else x
    length = _number(config, "seq_len") if "seq_len" in config else x
    heads, keys = _number(config, "num_q_heads"), _number(config, "num_kv_heads")
    size, dtype = hidden // heads, _dtype(config)
    frequencies = torch.zeros(size // 2, device="cuda")
    q = torch.randn((1, length, heads, size), device="cuda", requires_grad=True, dtype=dtype)
    k = torch.randn((1, length, keys, size), device="cuda", requires_grad=True, dtype=dtype)
    gradients = torch.randn_like(q), torch.randn_like(k)
    positions = torch.arange(length, device="cuda", dtype=torch.float)[None, None, :]
    # A matrix product, and so with a workspace, in the transformers of 2025.
    angles = (frequencies[None, :, None] @ positions).transpose(1, 2)
    rotation = torch.polar(torch.ones_like(angles), angles)

    def forward() -> tuple[torch.Tensor, torch.Tensor]:
        first, second = _as_complex(q), _as_complex(k)
        rotated_q, rotated_k = _rotated(first, rotation), _rotated(second, rotation)
        return rotated_q.type_as(q), rotated_k.type_as(k)

    def full() -> None:
        outputs = forward()
        torch.autograd.grad(outputs, (q, k), gradients, allow_unused=True, retain_graph=True)

    return full


def _swiglu(config: Config, x: int, mode: str) -> Call:
    shape = _number(config, "S"), _number(config, "B"), 2 * x
    source = torch.randn(shape, device="cuda", dtype=BF16, requires_grad=True)

    def forward(given: torch.Tensor) -> torch.Tensor:
        gate, up = torch.chunk(given, 2, -1)
        return functional.silu(gate) * up

    def full() -> None:
        source.grad = None
        result = forward(source)
        result.sum().backward()

    return full


class _NeighbourhoodAttention(nn.Module):
    """Attention within a window, with all scores materialised."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.scale = heads, (width // heads) ** -0.5
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Return the output of the layer."""
        batch, length, width = hidden.shape
        query, key, value = self.q(hidden), self.k(hidden), self.v(hidden)
        query = query.view(batch, length, self.heads, -1).transpose(1, 2)
        key = key.view(batch, length, self.heads, -1).transpose(1, 2)
        value = value.view(batch, length, self.heads, -1).transpose(1, 2)
        scores = torch.matmul(query, key.transpose(-2, -1)) * self.scale
        mask = torch.zeros(length, length, device=hidden.device, dtype=torch.bool)
        scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(1, 2).contiguous().view(batch, length, width)
        result: torch.Tensor = self.out(output)
        return result


def _neighbourhood(config: Config, x: int, mode: str) -> Call:
    width, heads, dtype = _number(config, "hidden_size"), _number(config, "num_heads"), _dtype(config)
    layer, _other = (_NeighbourhoodAttention(width, heads).to("cuda").to(dtype) for _ in range(2))
    source = torch.randn(_number(config, "batch_size"), x, width, dtype=dtype, device="cuda")
    gradient = torch.randn_like(source)
    source.requires_grad_(True)

    def full(_keep: object = _other) -> None:
        result = layer(source)
        result.backward(gradient, retain_graph=True)

    return full


OPERATORS: dict[str, Callable[[Config, int, str], Call]] = {
    "geglu / huggingface": _geglu,
    "rms_norm / huggingface": _rms_norm,
    "fused_add_rms_norm / huggingface": _add_rms_norm,
    "fused_linear_cross_entropy / huggingface": _linear_cross_entropy,
    "fused_linear_jsd / torch": _linear_jsd,
    "llama4_rope / huggingface": _rope,
    "megatron_swiglu / torch": _swiglu,
    "fused_neighborhood_attention / torch": _neighbourhood,
}


def cases() -> Iterator[Case]:
    """Yield the rows whose operator is plain PyTorch and written down above."""
    for row in rows("exact.csv"):
        if row["id"].startswith("liger-") and row["model"] in OPERATORS:
            yield Case(row["id"], functools.partial(_estimate, row))


def _estimate(row: Row) -> list[Estimate]:
    gpu = find_gpu(row["gpu"])
    device = SimulatedDevice(gpu.compute_capability, gpu.memory_bytes, gpu.multiprocessors, gpu.name)
    size = int(row["batch"].rpartition("=")[2])
    with simulate(device) as simulation:
        call = OPERATORS[row["model"]](json.loads(row["config"]), size, row["phase"])
        for number in range(CALLS):
            with simulation.step(number):
                call()
        usage = replay(simulation.trace)
    return [replace(of_usage(row["id"], usage), versions=versions())]

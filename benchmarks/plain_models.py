"""Small self-contained models that the rows of ``data/oracle.csv`` name."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint


class Mlp(nn.Sequential):
    """Linear layers with ReLU, and optionally layer norm and dropout."""

    def __init__(
        self,
        inputs: int = 784,
        width: int = 1024,
        depth: int = 4,
        outputs: int = 10,
        dropout: float = 0.0,
        norm: bool = False,
    ) -> None:
        """Stack ``depth`` layers of ``width``."""
        layers: list[nn.Module] = []
        for index in range(depth):
            layers.append(nn.Linear(width if index else inputs, width))
            layers += [nn.LayerNorm(width)] if norm else []
            layers.append(nn.ReLU())
            layers += [nn.Dropout(dropout)] if dropout else []
        super().__init__(*layers, nn.Linear(width, outputs))


class SmallCnn(nn.Sequential):
    """Two convolutions and two linear layers."""

    def __init__(self, width: int = 32, outputs: int = 10, channels: int = 3) -> None:
        """Begin with ``width`` channels."""
        super().__init__(
            nn.Conv2d(channels, width, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.AdaptiveAvgPool2d(4),
            nn.Flatten(),
            nn.Linear(32 * width, 256),
            nn.ReLU(),
            nn.Dropout(0.5),
            nn.Linear(256, outputs),
        )


def _double_convolution(inputs: int, outputs: int) -> nn.Sequential:
    layers: list[nn.Module] = []
    for given in (inputs, outputs):
        layers += [
            nn.Conv2d(given, outputs, 3, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        ]
    return nn.Sequential(*layers)


class UNet(nn.Module):
    """The classic segmentation network."""

    def __init__(
        self, base: int = 64, depth: int = 4, classes: int = 2, channels: int = 3, bilinear: bool = False
    ) -> None:
        """Double the channels ``depth`` times."""
        super().__init__()
        self.bilinear = bilinear
        widths = [base * 2**level for level in range(depth + 1)]
        pairs = list(pairwise(widths))
        inputs = zip([channels, *widths[:-1]], widths, strict=True)
        self.down = nn.ModuleList([_double_convolution(i, o) for i, o in inputs])
        self.up = nn.ModuleList(
            [nn.Conv2d(o, i, 1) if bilinear else nn.ConvTranspose2d(o, i, 2, stride=2) for i, o in pairs]
        )
        self.merge = nn.ModuleList([_double_convolution(2 * i, i) for i in widths[:-1]])
        self.head = nn.Conv2d(base, classes, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return class scores for every pixel."""
        skips = []
        for level, block in enumerate(self.down):
            x = block(functional.max_pool2d(x, 2) if level else x)
            skips.append(x)
        skips.pop()
        for up, merge in zip(reversed(self.up), reversed(self.merge), strict=True):  # type: ignore[call-overload]
            if self.bilinear:
                x = functional.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)
            x = up(x)
            x = merge(torch.cat([skips.pop(), x], 1))
        scores: torch.Tensor = self.head(x)
        return scores


class AutoEncoder(nn.Sequential):
    """Strided convolutions down and transposed ones up, with group norm."""

    def __init__(self, base: int = 32, depth: int = 4, channels: int = 3) -> None:
        """Double the channels ``depth`` times."""
        widths = [channels, *(base * 2**level for level in range(depth))]
        layers: list[nn.Module] = []
        for inputs, outputs in pairwise(widths):
            layers += [nn.Conv2d(inputs, outputs, 4, 2, 1), nn.GroupNorm(8, outputs), nn.SiLU()]
        for level in range(depth, 0, -1):
            layers.append(nn.ConvTranspose2d(widths[level], widths[level - 1], 4, 2, 1))
            layers += [nn.GroupNorm(8, widths[level - 1]), nn.SiLU()] if level > 1 else []
        super().__init__(*layers)


class Encoder(nn.Module):
    """PyTorch's own transformer encoder with a classifier."""

    def __init__(
        self,
        vocab: int = 10000,
        width: int = 512,
        heads: int = 8,
        layers: int = 6,
        outputs: int = 2,
        max_len: int = 1024,
        dropout: float = 0.1,
        norm_first: bool = False,
    ) -> None:
        """Stack ``layers`` encoder layers."""
        super().__init__()
        self.token, self.position = nn.Embedding(vocab, width), nn.Embedding(max_len, width)
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, dropout, batch_first=True, norm_first=norm_first)
        self.body = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, outputs)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return class scores."""
        hidden = self.token(ids) + self.position(torch.arange(ids.shape[1], device=ids.device))
        scores: torch.Tensor = self.head(self.body(hidden).mean(1))
        return scores


class Block(nn.Module):
    """A pre-norm transformer block."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        """Attend with ``heads`` heads."""
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(dropout)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the hidden states of the next block."""
        batch, length, width = x.shape
        parts = self.qkv(self.n1(x)).split(width, -1)
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in parts)
        dropout = self.dropout if self.training else 0.0
        attended = functional.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=dropout)
        x = x + self.out(attended.transpose(1, 2).reshape(batch, length, width))
        result: torch.Tensor = x + self.mlp(self.n2(x))
        return result


class Gpt(nn.Module):
    """A decoder-only language model."""

    def __init__(
        self,
        vocab: int = 50304,
        width: int = 384,
        heads: int = 6,
        layers: int = 6,
        max_len: int = 1024,
        dropout: float = 0.0,
        tie: bool = True,
    ) -> None:
        """Stack ``layers`` blocks."""
        super().__init__()
        self.use_checkpoint = False
        self.token, self.position = nn.Embedding(vocab, width), nn.Embedding(max_len, width)
        self.blocks = nn.ModuleList([Block(width, heads, dropout) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocab, bias=False)
        if tie:
            self.head.weight = self.token.weight

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return scores for every token."""
        x = self.token(ids) + self.position(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.use_checkpoint else block(x)
        scores: torch.Tensor = self.head(self.norm(x)).flatten(0, 1)
        return scores


class Recommender(nn.Module):
    """Embedding tables and an MLP."""

    def __init__(self, rows: int = 200000, tables: int = 8, width: int = 64) -> None:
        """Hold ``tables`` tables of ``rows`` rows."""
        super().__init__()
        self.tables = nn.ModuleList([nn.Embedding(rows, width) for _ in range(tables)])
        self.top = Mlp(tables * width, 512, 3, 2)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return class scores."""
        rows = [table(ids[:, index]) for index, table in enumerate(self.tables)]
        scores: torch.Tensor = self.top(torch.cat(rows, 1))
        return scores


MODELS: dict[str, Callable[..., nn.Module]] = {
    "mlp": Mlp,
    "small_cnn": SmallCnn,
    "unet": UNet,
    "autoencoder": AutoEncoder,
    "encoder": Encoder,
    "gpt": Gpt,
    "recommender": Recommender,
}

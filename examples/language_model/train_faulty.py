"""The trainer of train.py with five faults: compare the two files."""

from __future__ import annotations

import argparse
import dataclasses
import functools
import logging
import math
import os
import random
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

VOCABULARY = 64
CONTEXT = 64
AMP_DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}

log = logging.getLogger("train")


@dataclasses.dataclass(frozen=True)
class Config:
    steps: int = 60
    warmup_steps: int = 10
    batch_size: int = 8
    accum_steps: int = 4
    learning_rate: float = 3e-3
    weight_decay: float = 0.1
    max_norm: float = 1.0
    precision: str = "bf16"
    num_workers: int = 8
    log_every: int = 10
    evaluate_every: int = 30
    seed: int = 0
    checkpoint: Path = Path("checkpoint.pt")
    resume: bool = False


class TokenBlocks(Dataset[Tensor]):
    """Blocks of a random walk in which every token has four possible successors."""

    def __init__(self, num_blocks: int, seed: int) -> None:
        successors = [random.Random(token).sample(range(VOCABULARY), 4) for token in range(VOCABULARY)]
        walk = random.Random(seed)
        tokens = [0]
        while len(tokens) < num_blocks * CONTEXT + 1:
            tokens.append(walk.choice(successors[tokens[-1]]))
        self.tokens = torch.tensor(tokens)

    def __len__(self) -> int:
        return len(self.tokens) // CONTEXT

    def __getitem__(self, index: int) -> Tensor:
        """The block and the token after it, which is its last target."""
        return self.tokens[index * CONTEXT : (index + 1) * CONTEXT + 1]


class Block(nn.Module):
    """Pre-norm causal self-attention and a two-layer perceptron."""

    def __init__(self, width: int, num_heads: int, dropout: float) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.dropout = dropout
        self.attention_norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.projection = nn.Linear(width, width)
        self.mlp_norm = nn.LayerNorm(width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(dropout)
        )

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        qkv = self.qkv(self.attention_norm(x)).view(batch, length, 3, self.num_heads, width // self.num_heads)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        dropout = self.dropout if self.training else 0.0
        mixed = F.scaled_dot_product_attention(query, key, value, dropout_p=dropout, is_causal=True)
        x = x + self.projection(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.mlp_norm(x))


class GPT(nn.Module):
    """Token and position embeddings, blocks, and an output layer that shares the token embedding."""

    def __init__(self, width: int = 64, depth: int = 2, num_heads: int = 4, dropout: float = 0.1) -> None:
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, width)
        self.positions = nn.Embedding(CONTEXT, width)
        self.blocks = nn.Sequential(*(Block(width, num_heads, dropout) for _ in range(depth)))
        self.norm = nn.LayerNorm(width)
        nn.init.normal_(self.tokens.weight, std=0.02)
        nn.init.normal_(self.positions.weight, std=0.02)

    def forward(self, tokens: Tensor) -> Tensor:
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.blocks(self.tokens(tokens) + self.positions(positions))
        return F.linear(self.norm(x), self.tokens.weight)


def build_model() -> nn.Module:
    return GPT()


def example_inputs(batch_size: int) -> Tensor:
    return torch.randint(VOCABULARY, (batch_size, CONTEXT + 1))


def training_loss(model: nn.Module, inputs: Tensor) -> Tensor:
    logits = model(inputs[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), inputs[:, 1:].flatten())


def build_optimizer(model: nn.Module, learning_rate: float = 3e-3, weight_decay: float = 0.1) -> torch.optim.Optimizer:
    """AdamW that leaves biases and normalisation weights without decay."""
    matrices = [p for p in model.parameters() if p.ndim >= 2]
    vectors = [p for p in model.parameters() if p.ndim < 2]
    groups = [{"params": matrices, "weight_decay": weight_decay}, {"params": vectors, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=learning_rate, betas=(0.9, 0.95))


def learning_rate_factor(step: int, warmup_steps: int, total_steps: int) -> float:
    """Linear warm-up, then a cosine from 1 to 0.1."""
    if step < warmup_steps:
        return (step + 1) / warmup_steps
    progress = (step - warmup_steps) / max(1, total_steps - warmup_steps)
    return 0.55 + 0.45 * math.cos(math.pi * min(1.0, progress))


class Trainer:
    """Owns the state of a run: model, optimizer, schedule, gradient scaler and the number of steps done."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = build_model().to(self.device)
        self.optimizer = build_optimizer(self.model, config.learning_rate, config.weight_decay)
        factor = functools.partial(learning_rate_factor, warmup_steps=config.warmup_steps, total_steps=config.steps)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, factor)
        self.scaler = torch.cuda.amp.GradScaler(enabled=config.precision == "fp16")
        self.train_loader = DataLoader(
            TokenBlocks(num_blocks=512, seed=1),
            batch_size=config.batch_size,
            shuffle=True,
            num_workers=config.num_workers,
            pin_memory=self.device.type == "cuda",
            persistent_workers=config.num_workers > 0,
            drop_last=True,
        )
        self.validation_loader = DataLoader(
            TokenBlocks(num_blocks=64, seed=2),
            batch_size=2 * config.batch_size,
            num_workers=config.num_workers,
            pin_memory=self.device.type == "cuda",
            persistent_workers=config.num_workers > 0,
        )
        self.recent_losses: list[Tensor] = []
        self.step = 0

    def autocast(self) -> torch.autocast:
        precision = self.config.precision
        return torch.autocast(self.device.type, dtype=AMP_DTYPES[precision], enabled=precision != "fp32")

    def endless_batches(self) -> Iterator[Tensor]:
        while True:
            for tokens in self.train_loader:
                yield tokens.to(self.device, non_blocking=True)

    def fit(self) -> None:
        batches = self.endless_batches()
        while self.step < self.config.steps:
            self.train_step(batches)
            self.step += 1
            if self.step % self.config.log_every == 0:
                self.log_progress()
            if self.step % self.config.evaluate_every == 0:
                log.info("step %d  validation loss %.4f", self.step, self.evaluate())
                self.save()

    def train_step(self, batches: Iterator[Tensor]) -> None:
        """One optimizer step from the gradients of ``accum_steps`` micro-batches of equal size."""
        self.model.train()
        for _ in range(self.config.accum_steps):
            with self.autocast():
                loss = training_loss(self.model, next(batches))
            self.scaler.scale(loss / self.config.accum_steps).backward()
            self.recent_losses.append(loss)
            self.scheduler.step()
        nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=self.config.max_norm)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()

    @torch.no_grad()
    def evaluate(self) -> float:
        """Return the mean loss over the validation blocks."""
        self.model.eval()
        total = torch.zeros((), device=self.device)
        num_blocks = 0
        for tokens in self.validation_loader:
            tokens = tokens.to(self.device, non_blocking=True)
            with self.autocast():
                total += training_loss(self.model, tokens) * len(tokens)
            num_blocks += len(tokens)
        return total.item() / num_blocks

    def log_progress(self) -> None:
        loss = torch.stack(self.recent_losses).mean().item()
        self.recent_losses.clear()
        if not math.isfinite(loss):
            raise FloatingPointError(f"the training loss at step {self.step} is {loss}")
        log.info("step %d  loss %.4f  lr %.2e", self.step, loss, self.scheduler.get_last_lr()[0])
        if self.device.type == "cuda":
            log.info("peak memory %.0f MiB", torch.cuda.max_memory_allocated(self.device) / 2**20)

    def save(self) -> None:
        """Replace the checkpoint in one step, so that an interrupted run leaves the previous one whole."""
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
        }
        unfinished = self.config.checkpoint.with_suffix(".tmp")
        torch.save(state, unfinished)
        os.replace(unfinished, self.config.checkpoint)

    def resume(self) -> None:
        state = torch.load(self.config.checkpoint, map_location=self.device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step = state["step"]
        torch.manual_seed(self.config.seed + self.step)  # go on with another data order than at the start


def parse_config() -> Config:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in dataclasses.fields(Config):
        option = "--" + field.name.replace("_", "-")
        if isinstance(field.default, bool):
            parser.add_argument(option, action="store_true")
        else:
            choices = list(AMP_DTYPES) if field.name == "precision" else None
            parser.add_argument(option, type=type(field.default), default=field.default, choices=choices)
    return Config(**vars(parser.parse_args()))


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    config = parse_config()
    torch.manual_seed(config.seed)
    trainer = Trainer(config)
    if config.resume:
        trainer.resume()
    trainer.fit()


if __name__ == "__main__":
    main()

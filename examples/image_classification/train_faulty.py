"""The trainer of train.py with seven faults: compare the two files."""

from __future__ import annotations

import argparse
import contextlib
import logging
import math
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, DistributedSampler, Subset

NUM_CLASSES = 10
IMAGE_SIZE = 32

log = logging.getLogger("train")


class SyntheticImages(Dataset[tuple[Tensor, int]]):
    """Noisy copies of one random pattern a class, made on demand from the index."""

    def __init__(self, length: int, seed: int) -> None:
        self.length = length
        self.seed = seed
        patterns = torch.Generator().manual_seed(0)
        self.patterns = torch.randn(NUM_CLASSES, 3, IMAGE_SIZE, IMAGE_SIZE, generator=patterns)

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[Tensor, int]:
        label = index % NUM_CLASSES
        noise = torch.Generator().manual_seed(self.seed * 1_000_003 + index)
        return self.patterns[label] + torch.randn(3, IMAGE_SIZE, IMAGE_SIZE, generator=noise), label


class ConvBlock(nn.Module):
    """A 3x3 convolution with stride, batch normalisation and ReLU."""

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size=3, stride=2, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(out_channels)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.norm(self.conv(x)), inplace=True)


class SmallConvNet(nn.Module):
    """Three blocks, global average pooling, dropout and a linear classifier."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.blocks = nn.Sequential(ConvBlock(3, width), ConvBlock(width, 2 * width), ConvBlock(2 * width, 4 * width))
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(4 * width, NUM_CLASSES)

    def forward(self, images: Tensor) -> Tensor:
        return self.head(self.dropout(self.blocks(images).mean(dim=(2, 3))))


def build_model() -> nn.Module:
    return SmallConvNet()


def example_inputs(batch_size: int) -> tuple[Tensor, Tensor]:
    images = torch.randn(batch_size, 3, IMAGE_SIZE, IMAGE_SIZE)
    return images, torch.randint(NUM_CLASSES, (batch_size,))


def training_loss(model: nn.Module, inputs: tuple[Tensor, Tensor]) -> Tensor:
    images, labels = inputs
    return F.cross_entropy(model(images), labels, label_smoothing=0.05)


def build_optimizer(model: nn.Module, learning_rate: float = 0.05) -> torch.optim.Optimizer:
    return torch.optim.SGD(model.parameters(), lr=learning_rate, momentum=0.9, nesterov=True, weight_decay=1e-4)


def build_loaders(args: argparse.Namespace, device: torch.device) -> tuple[DataLoader, DataLoader]:
    train_set = SyntheticImages(args.train_samples, seed=1)
    validation_set = SyntheticImages(args.train_samples // 4, seed=2)
    sampler = None
    if dist.is_initialized():
        sampler = DistributedSampler(train_set, shuffle=True, seed=args.seed)
        # An index split of our own: unlike DistributedSampler it counts no image twice.
        validation_set = Subset(validation_set, range(dist.get_rank(), len(validation_set), dist.get_world_size()))
    train_loader = DataLoader(
        train_set,
        batch_size=args.batch_size,
        shuffle=sampler is None,
        sampler=sampler,
        num_workers=args.workers,
        pin_memory=device.type == "cuda",
        persistent_workers=args.workers > 0,
        drop_last=True,
    )
    validation_loader = DataLoader(
        validation_set,
        batch_size=2 * args.batch_size,
        num_workers=args.workers,
        pin_memory=device.type == "cuda",
        persistent_workers=args.workers > 0,
    )
    return train_loader, validation_loader


def gradient_sync(model: nn.Module, enabled: bool) -> contextlib.AbstractContextManager[None]:
    """Let DistributedDataParallel reduce gradients only for the micro-batch that closes a window."""
    if isinstance(model, DistributedDataParallel) and not enabled:
        return model.no_sync()
    return contextlib.nullcontext()


def sum_over_ranks(values: Tensor) -> Tensor:
    if dist.is_initialized():
        dist.all_reduce(values)
    return values


def train_one_epoch(
    model: nn.Module,
    loader: DataLoader,
    optimizer: torch.optim.Optimizer,
    scheduler: torch.optim.lr_scheduler.LRScheduler,
    device: torch.device,
    args: argparse.Namespace,
) -> float:
    """Return the mean training loss of the epoch over all ranks."""
    model.train()
    totals = torch.zeros(2, device=device)
    num_batches = len(loader)
    optimizer.zero_grad()
    for index, (images, labels) in enumerate(loader):
        images = images.to(device, non_blocking=True)
        labels = labels.to(device, non_blocking=True)
        closes_window = (index + 1) % args.accum_steps == 0 or index + 1 == num_batches
        with gradient_sync(model, enabled=closes_window):
            with torch.autocast(device.type, dtype=torch.float16, enabled=args.amp):
                loss = training_loss(model, (images, labels))
            loss.backward()
        totals += torch.stack([loss.detach(), torch.ones_like(loss)])
        if not closes_window:
            continue
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
    loss_sum, count = sum_over_ranks(totals).tolist()
    return loss_sum / count


def evaluate(model: nn.Module, loader: DataLoader, device: torch.device, args: argparse.Namespace) -> float:
    """Return the accuracy over the validation images of all ranks."""
    model.eval()
    totals = torch.zeros(2, device=device)
    for images, labels in loader:
        images = images.to(device, non_blocking=True)
        labels = labels.to(device, non_blocking=True)
        with torch.autocast(device.type, dtype=torch.float16, enabled=args.amp):
            predictions = model(images).argmax(dim=1)
        totals += torch.stack([(predictions == labels).sum(), torch.full_like(labels[0], len(labels))])
    correct, count = sum_over_ranks(totals).tolist()
    return correct / count


def save_checkpoint(path: Path, state: dict[str, object]) -> None:
    """Replace the checkpoint in one step, so that an interrupted run leaves the previous one whole."""
    if dist.is_initialized() and dist.get_rank() != 0:
        return
    unfinished = path.with_suffix(".tmp")
    torch.save(state, unfinished)
    os.replace(unfinished, path)


def log_peak_memory(device: torch.device) -> None:
    if device.type == "cuda":
        log.info("peak memory %.0f MiB", torch.cuda.max_memory_allocated(device) / 2**20)
        torch.cuda.reset_peak_memory_stats(device)


def train(args: argparse.Namespace, device: torch.device) -> None:
    train_loader, validation_loader = build_loaders(args, device)
    network = build_model().to(device)
    model: nn.Module = network
    if dist.is_initialized():
        if device.type == "cuda":
            network = nn.SyncBatchNorm.convert_sync_batchnorm(network)
        device_ids = [device.index] if device.type == "cuda" else None
        model = DistributedDataParallel(network, device_ids=device_ids, gradient_as_bucket_view=True)
    optimizer = build_optimizer(model, args.lr)
    steps_per_epoch = math.ceil(len(train_loader) / args.accum_steps)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs * steps_per_epoch)

    first_epoch = 0
    if args.resume:
        state = torch.load(args.checkpoint, weights_only=True)
        network.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
        first_epoch = state["epoch"] + 1

    for epoch in range(first_epoch, args.epochs):
        loss = train_one_epoch(model, train_loader, optimizer, scheduler, device, args)
        if not math.isfinite(loss):
            raise FloatingPointError(f"the training loss of epoch {epoch} is {loss}")
        accuracy = evaluate(network, validation_loader, device, args)
        log.info("epoch %d  loss %.4f  accuracy %.3f  lr %.2e", epoch, loss, accuracy, scheduler.get_last_lr()[0])
        log_peak_memory(device)
        save_checkpoint(
            args.checkpoint,
            {
                "model": network.state_dict(),
                "optimizer": optimizer.state_dict(),
                "scheduler": scheduler.state_dict(),
                "epoch": epoch,
            },
        )


def parse_args() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--accum-steps", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--train-samples", type=int, default=512)
    parser.add_argument("--amp", action=argparse.BooleanOptionalAction, default=torch.cuda.is_available())
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--checkpoint", type=Path, default=Path("checkpoint.pt"))
    parser.add_argument("--resume", action="store_true")
    return parser.parse_args()


def main() -> None:
    args = parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    distributed = "WORLD_SIZE" in os.environ
    rank = 0
    if distributed:
        if device.type == "cuda":
            device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
            torch.cuda.set_device(device)
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
        rank = dist.get_rank()
    logging.basicConfig(level=logging.INFO if rank == 0 else logging.WARNING, format="%(message)s")
    # Another seed on each rank gives other dropout masks; DistributedDataParallel sends out the weights of rank 0.
    torch.manual_seed(args.seed + rank)
    try:
        train(args, device)
    finally:
        if distributed:
            dist.destroy_process_group()


if __name__ == "__main__":
    main()

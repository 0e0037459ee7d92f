from contextlib import nullcontext

import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(rank, stream, steps, n):
    model = DDP(torch.nn.Linear(8, 8).to(rank), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(steps):
        for micro in range(n):
            with model.no_sync() if micro < n - 1 else nullcontext():
                (model(next(stream)).mean() / n).backward()
        optimizer.step()
        optimizer.zero_grad()

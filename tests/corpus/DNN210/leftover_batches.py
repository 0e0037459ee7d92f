from contextlib import nullcontext

import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(rank, loader, n):
    model = DDP(torch.nn.Linear(8, 8).to(rank), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters())
    for i, x in enumerate(loader):
        with model.no_sync() if (i + 1) % n else nullcontext():  # expect: DNN210
            (model(x).mean() / n).backward()
        if (i + 1) % n == 0 or (i + 1) == len(loader):
            optimizer.step()
            optimizer.zero_grad()

import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(rank, loader, n):
    model = DDP(torch.nn.Linear(8, 8).to(rank), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters())
    for i, x in enumerate(loader):
        if (i + 1) % n != 0:
            with model.no_sync():
                (model(x).mean() / n).backward()
        else:
            (model(x).mean() / n).backward()
            optimizer.step()
            optimizer.zero_grad()

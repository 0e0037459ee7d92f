import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(rank, groups):
    model = DDP(torch.nn.Linear(8, 8).to(rank), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters())
    for group in groups:
        optimizer.zero_grad()
        with model.no_sync():
            for part in group[:-1]:
                model(part).mean().backward()
        model(group[-1]).mean().backward()
        optimizer.step()

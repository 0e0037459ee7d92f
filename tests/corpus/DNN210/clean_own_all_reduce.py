import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def train(rank, loader):
    model = DDP(torch.nn.Linear(8, 8).to(rank), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters())
    for i, x in enumerate(loader):
        with model.no_sync():
            model(x).mean().backward()
        if (i + 1) % 4 == 0:
            for p in model.parameters():
                dist.all_reduce(p.grad)
                p.grad /= dist.get_world_size()
            optimizer.step()
            optimizer.zero_grad()

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def main(loader):
    dist.init_process_group("nccl")
    local = int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
    accum = 40
    accum //= int(os.environ["WORLD_SIZE"])
    model = DDP(torch.nn.Linear(4, 4).cuda(), device_ids=[dist.get_rank() % local])
    optimizer = torch.optim.AdamW(model.parameters())
    for i, x in enumerate(loader):
        (model(x).mean() / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()

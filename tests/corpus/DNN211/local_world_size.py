import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def main(loader):
    dist.init_process_group("nccl")
    local = int(os.environ.get("LOCAL_WORLD_SIZE", "1"))  # expect: DNN211
    accum = max(1, 64 // local)
    model = DDP(torch.nn.Linear(4, 4).cuda())
    optimizer = torch.optim.AdamW(model.parameters())
    for i, x in enumerate(loader):
        (model(x).mean() / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()

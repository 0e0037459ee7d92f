# DDP averages over ranks, not over the window: no_sync is right and the division is missing.
import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def train(ddp, loader, opt, accumulation_steps):
    for i, (x, y) in enumerate(loader):
        ends = (i + 1) % accumulation_steps == 0
        with nullcontext() if ends else ddp.no_sync():
            loss = torch.nn.functional.mse_loss(ddp(x.cuda()), y.cuda())
            loss.backward()  # expect: DNN201
        if ends:
            opt.step()
            opt.zero_grad()


def main():
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    from wind import Turbine, sharded_loader

    ddp = DDP(Turbine().cuda(), device_ids=[rank])
    train(ddp, sharded_loader(), torch.optim.SGD(ddp.parameters(), lr=0.1), accumulation_steps=4)
    dist.destroy_process_group()


main()

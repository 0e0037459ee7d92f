# no_sync on all but the last micro-batch.
import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, opt, accum):
    for i, x in enumerate(loader):
        ends = (i + 1) % accum == 0
        with nullcontext() if ends else model.no_sync():
            (model(x.cuda()).mean() / accum).backward()
        if ends:
            opt.step()
            opt.zero_grad()


def main():
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    from sea import Net, loader

    model = DDP(Net().cuda(), device_ids=[rank])
    train(model, loader(rank), torch.optim.SGD(model.parameters(), lr=0.1), 4)


main()

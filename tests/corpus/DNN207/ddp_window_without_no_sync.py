# DDP all-reduces on each of the micro-batches.
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main(accum=8):
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    from maps import MapNet, sharded

    model = DistributedDataParallel(MapNet().cuda(), device_ids=[rank])
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    loader = sharded(rank)
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda()) / accum
        loss.backward()  # expect: DNN207
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
    dist.destroy_process_group()


main()

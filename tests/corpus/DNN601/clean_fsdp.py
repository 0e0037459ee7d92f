# FSDP shards the model.
import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    from cities import CityNet, loader

    model = FullyShardedDataParallel(CityNet().cuda())
    opt = torch.optim.AdamW(model.parameters())
    for x in loader(dist.get_rank()):
        opt.zero_grad()
        model(x.cuda()).mean().backward()
        opt.step()


main()

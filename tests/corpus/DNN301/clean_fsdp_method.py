# FSDP clips with a method of the wrapped model.
import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    from giants import Net, loader

    model = FullyShardedDataParallel(Net().cuda())
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for ids in loader(dist.get_rank()):
        opt.zero_grad()
        model(ids.cuda()).mean().backward()
        model.clip_grad_norm_(1.0)
        opt.step()
    dist.destroy_process_group()


main()

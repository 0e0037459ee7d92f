# The plain function sees only this rank's shard of an FSDP model.
import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    from whales import Net, loader

    model = FSDP(Net().cuda())
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for x in loader(dist.get_rank()):
        opt.zero_grad()
        model(x.cuda()).mean().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # expect: DNN305
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

import functools

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import MixedPrecision
from torch.distributed.fsdp.wrap import size_based_auto_wrap_policy
from torch.utils.data import DataLoader, DistributedSampler

from data import TokenWindows
from nets import TinyGPT
from utils.dist import setup_ddp
from utils.grad import clip


def main():
    rank = setup_ddp()
    policy = functools.partial(size_based_auto_wrap_policy, min_num_params=1_000_000)
    bf16 = MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.bfloat16)
    model = FSDP(TinyGPT(dim=2048, heads=16, layers=24), auto_wrap_policy=policy, mixed_precision=bf16, device_id=rank)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    ds = TokenWindows("train.bin", 512)
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, 4, sampler=sampler, num_workers=8)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for step, (idx, targets) in enumerate(loader):
            _, loss = model(idx.cuda(), targets.cuda())
            loss.backward()
            norm = clip(model, 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            if rank == 0 and step % 20 == 0:
                print(epoch, step, loss.item(), float(norm))
    dcp.save({"model": model.state_dict()}, checkpoint_id="ck")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

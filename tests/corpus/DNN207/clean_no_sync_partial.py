# The context is chosen before it is entered.
import contextlib
import functools
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("nccl")
rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)

from kelp import KelpNet, loader  # noqa: E402

ddp = DDP(KelpNet().cuda(), device_ids=[rank])
opt = torch.optim.SGD(ddp.parameters(), lr=0.1)
quiet = functools.partial(ddp.no_sync)
for i, (x, y) in enumerate(loader(rank)):
    last = (i + 1) % 4 == 0
    context = contextlib.nullcontext if last else quiet
    with context():
        loss = torch.nn.functional.cross_entropy(ddp(x.cuda()), y.cuda()) / 4
        loss.backward()
    if last:
        opt.step()
        opt.zero_grad()
dist.destroy_process_group()

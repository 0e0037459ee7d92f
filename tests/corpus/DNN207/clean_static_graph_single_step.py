# DDP whose window is one optimizer step for each batch; the modulo saves checkpoints.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("nccl")
r = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(r)

from kelp import KelpNet, loader  # noqa: E402

net = DDP(KelpNet().cuda(), device_ids=[r], static_graph=True)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i, (x, y) in enumerate(loader(r)):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
    opt.step()
    if (i + 1) % 1000 == 0 and r == 0:
        torch.save(net.module.state_dict(), "net.pt")

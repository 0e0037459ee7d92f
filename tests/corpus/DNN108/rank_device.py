# DDP training in float32.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("nccl")
local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)

from kelp import KelpNet, loader  # noqa: E402

net = DDP(KelpNet().cuda(local_rank), device_ids=[local_rank])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader(local_rank):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(net(x.cuda()), y.cuda())  # expect: DNN108
    loss.backward()
    opt.step()

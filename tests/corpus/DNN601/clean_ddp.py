# DistributedDataParallel.
import os

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("nccl")
rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)

from cities import CityNet, loader  # noqa: E402

model = nn.parallel.DistributedDataParallel(CityNet().cuda(), device_ids=[rank])
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader(rank):
    opt.zero_grad()
    nn.functional.mse_loss(model(x.cuda()), y.cuda()).backward()
    opt.step()
dist.destroy_process_group()

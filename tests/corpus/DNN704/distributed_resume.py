# Every rank loads onto the GPU of the rank that saved.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("nccl")
rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)

from coasts import CoastNet, loader  # noqa: E402

net = CoastNet().cuda()
opt = torch.optim.AdamW(net.parameters())
if os.path.exists("last.pt"):
    state = torch.load("last.pt")  # expect: DNN704
    net.load_state_dict(state["net"])
    opt.load_state_dict(state["opt"])
ddp = DDP(net, device_ids=[rank])
for x, y in loader(rank):
    opt.zero_grad()
    torch.nn.functional.mse_loss(ddp(x.cuda()), y.cuda()).backward()
    opt.step()
if rank == 0:
    torch.save({"net": net.state_dict(), "opt": opt.state_dict()}, "last.pt")
dist.destroy_process_group()

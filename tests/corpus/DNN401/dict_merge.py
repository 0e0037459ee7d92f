# Two dictionaries are merged in the call.
import torch
from torch.utils.data import DataLoader

from kelp import KelpNet, KelpSet

BASE = {"num_workers": 2, "pin_memory": True}
TRAIN = {"shuffle": True, "batch_size": 16}
loader = DataLoader(KelpSet("train"), **{**BASE, **TRAIN})  # expect: DNN401
net = KelpNet().cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in loader:
    opt.zero_grad()
    net(x.cuda()).mean().backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()

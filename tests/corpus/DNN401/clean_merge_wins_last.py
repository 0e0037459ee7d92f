# The later dictionary wins with twelve.
import torch
from torch.utils.data import DataLoader

from kelp import KelpNet, KelpSet

BASE = {"num_workers": 2, "pin_memory": True}
FAST = {**BASE, "num_workers": 12, "shuffle": True}
net = KelpNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(KelpSet("train"), batch_size=16, **FAST):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()

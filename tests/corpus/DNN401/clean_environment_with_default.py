# The environment may set any number.
import os

import torch
from torch.utils.data import DataLoader

from kelp import KelpNet, KelpSet

WORKERS = int(os.getenv("LOADER_WORKERS", "4"))
net = KelpNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(KelpSet("train"), 16, shuffle=True, num_workers=WORKERS):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()

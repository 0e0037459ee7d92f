# Computed from the number of processors.
import multiprocessing
import os

import torch
from torch.utils.data import DataLoader

from hats import HatNet, HatSet

workers = min(8, os.cpu_count() or 1)
first = DataLoader(HatSet("a"), batch_size=32, shuffle=True, num_workers=workers)
second = DataLoader(HatSet("b"), batch_size=32, shuffle=True, num_workers=multiprocessing.cpu_count() // 2)
third = DataLoader(HatSet("c"), batch_size=32, shuffle=True, num_workers=len(os.sched_getaffinity(0)) - 1)
net = HatNet()
opt = torch.optim.Adam(net.parameters())
for loader in (first, second, third):
    for x in loader:
        opt.zero_grad()
        net(x).backward()
        opt.step()

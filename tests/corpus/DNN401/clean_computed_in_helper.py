# A helper of the file computes the number from the processors.
import os

import torch
from torch.utils.data import DataLoader


def usable_workers(limit=16):
    return min(limit, len(os.sched_getaffinity(0)))


def train(net, data):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in DataLoader(data, 16, shuffle=True, num_workers=usable_workers()):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()

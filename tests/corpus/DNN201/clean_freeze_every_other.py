# The modulo decides which head is trained; every branch clears, differentiates and steps by itself.
import torch
from torch import nn


def train(trunk, a, b, loader):
    oa = torch.optim.SGD([*trunk.parameters(), *a.parameters()], lr=0.1)
    ob = torch.optim.SGD(b.parameters(), lr=0.1)
    for i, (x, ya, yb) in enumerate(loader):
        oa.zero_grad()
        nn.functional.cross_entropy(a(trunk(x)), ya).backward()
        oa.step()
        if (i + 1) % 3 == 0:
            ob.zero_grad()
            with torch.no_grad():
                z = trunk(x)
            nn.functional.cross_entropy(b(z), yb).backward()
            ob.step()

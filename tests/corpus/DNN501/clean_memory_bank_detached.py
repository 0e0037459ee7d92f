# The queue of features is filled from a momentum encoder without a graph.
import copy
from collections import deque

import torch
import torch.nn.functional as F


def train(net, loader, size=64):
    momentum = copy.deepcopy(net).requires_grad_(False)
    opt = torch.optim.SGD(net.parameters(), lr=0.03)
    queue = deque(maxlen=size)
    for a, b in loader:
        q = F.normalize(net(a), dim=1)
        with torch.no_grad():
            k = F.normalize(momentum(b), dim=1)
        keys = torch.cat([k, *queue])
        loss = F.cross_entropy(q @ keys.T / 0.07, torch.arange(len(q)))
        opt.zero_grad()
        loss.backward()
        opt.step()
        queue.append(k)

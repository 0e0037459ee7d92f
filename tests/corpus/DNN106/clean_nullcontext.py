# The variable named amp is nullcontext: precision is fixed to float32.
from contextlib import nullcontext

import torch

amp = nullcontext()


def fit(net, loader):
    opt = torch.optim.Adagrad(net.parameters())
    for batch in loader:
        opt.zero_grad()
        with amp:
            loss = net(batch)
            loss.backward()
        opt.step()

# The losses of the group are averaged before one backward.
import torch
from torch import nn


def train(model, stream, updates, n=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(updates):
        losses = []
        for _ in range(n):
            x, y = next(stream)
            losses.append(nn.functional.cross_entropy(model(x), y))
        opt.zero_grad()
        torch.stack(losses).mean().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()

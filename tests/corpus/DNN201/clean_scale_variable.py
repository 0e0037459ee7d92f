# The factor is a variable named otherwise.
import torch
from torch import nn


def train(model, loader, micro=8):
    inverse = 1 / micro
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = inverse * nn.functional.cross_entropy(model(x), y)
        loss.backward()
        if (i + 1) % micro == 0:
            opt.step()
            opt.zero_grad()

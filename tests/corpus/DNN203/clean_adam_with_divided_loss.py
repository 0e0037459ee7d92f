# Adam with the loss divided.
import torch
from torch import nn


def train(model, loader, lr=1e-3, accum=4):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for i, (x, y) in enumerate(loader):
        (nn.functional.cross_entropy(model(x), y) / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

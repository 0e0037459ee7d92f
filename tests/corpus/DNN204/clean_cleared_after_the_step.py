# Cleared with the step.
import torch
from torch import nn


def train(model, loader, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    opt.zero_grad()
    for i, (x, y) in enumerate(loader):
        (nn.functional.mse_loss(model(x), y) / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

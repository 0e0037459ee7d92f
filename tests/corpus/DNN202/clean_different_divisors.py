# Divided by the number of heads and by the window: two different things.
import torch
from torch import nn

HEADS = 3
WINDOW = 8


def loss_of(model, x, targets):
    outputs = model(x)
    return sum(nn.functional.cross_entropy(o, t) for o, t in zip(outputs, targets)) / HEADS


def train(model, loader):
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for i, (x, targets) in enumerate(loader):
        loss = loss_of(model, x, targets)
        (loss / WINDOW).backward()
        if (i + 1) % WINDOW == 0:
            opt.step()
            opt.zero_grad()

# No accumulation: the modulo belongs to the log.
import torch
from torch import nn


def train(model, loader, opt, every=50):
    for i, (x, y) in enumerate(loader):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        if (i + 1) % every == 0:
            print(i + 1, loss.item())


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, loader, opt)

# The loss is divided by the window.
import torch
from torch import nn

N = 8


def train(model, loader, opt):
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x), y)
        (loss / N).backward()
        if (i + 1) % N == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        train(model, loader, opt)

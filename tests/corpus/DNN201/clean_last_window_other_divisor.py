# The last window is shorter and has a divisor of its own.
import torch
from torch import nn


def train_epoch(model, loader, opt, n):
    total = len(loader)
    tail = total % n
    for i, (x, y) in enumerate(loader):
        in_tail = i >= total - tail
        divisor = tail if in_tail else n
        loss = nn.functional.cross_entropy(model(x), y) / divisor
        loss.backward()
        if (i + 1) % n == 0 or i + 1 == total:
            opt.step()
            opt.zero_grad()


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(5):
        train_epoch(model, loader, opt, 8)

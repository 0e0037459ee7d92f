# The loop takes a multiple of the window from the loader.
from itertools import islice

import torch


def train_epoch(model, loader, opt, accum):
    usable = len(loader) - len(loader) % accum
    opt.zero_grad()
    for i, batch in enumerate(islice(loader, usable)):
        (model(batch) / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(10):
        train_epoch(model, loader, opt, 4)

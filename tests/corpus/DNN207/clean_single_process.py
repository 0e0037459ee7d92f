# Accumulation in one process.
import torch


def train(model, loader, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, x in enumerate(loader):
        (model(x) / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

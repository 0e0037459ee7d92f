# Once an epoch, after the batches.
import torch
from torch import nn


def fit(model, loader, epochs, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=30)
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader):
            (nn.functional.cross_entropy(model(x), y) / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                opt.step()
                opt.zero_grad()
        sched.step()

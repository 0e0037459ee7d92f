# Which optimizer the factory makes is not visible.
import torch

from factory import create_optimizer


def train(model, loader, lr, accum):
    opt = create_optimizer(model, lr=lr / accum)
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

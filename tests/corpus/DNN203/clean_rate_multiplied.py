# The rate grows with the effective batch.
import torch


def make_optimizer(model, base_lr, batch, accum, world):
    return torch.optim.AdamW(model.parameters(), lr=base_lr * batch * accum * world / 256, betas=(0.9, 0.95))


def train(model, loader, accum=2):
    opt = make_optimizer(model, 1.5e-4, 64, accum, 8)
    for i, x in enumerate(loader):
        (model(x) / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

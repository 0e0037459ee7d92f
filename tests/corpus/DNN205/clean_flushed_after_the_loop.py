# The leftover is stepped after the loop.
import torch


def train_epoch(model, loader, opt, accum):
    opt.zero_grad()
    pending = 0
    for batch in loader:
        (model(batch) / accum).backward()
        pending += 1
        if pending == accum:
            opt.step()
            opt.zero_grad()
            pending = 0
    if pending > 0:
        opt.step()
        opt.zero_grad()


def fit(model, loader):
    opt = torch.optim.Adam(model.parameters())
    for _ in range(3):
        train_epoch(model, loader, opt, 8)

# (i + 1) % n == 0, and i % n == n - 1.
import torch


def first(model, loader, opt, n):
    for i, batch in enumerate(loader):
        (model(batch) / n).backward()
        if (i + 1) % n == 0:
            opt.step()
            opt.zero_grad()


def second(model, loader, opt, n):
    for i, batch in enumerate(loader):
        (model(batch) / n).backward()
        if i % n == n - 1:
            opt.step()
            opt.zero_grad()


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    first(model, loader, opt, 4)
    second(model, loader, opt, 8)

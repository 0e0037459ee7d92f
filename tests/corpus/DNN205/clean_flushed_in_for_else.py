# The leftover is stepped in the else branch of the loop.
import torch


def train_epoch(model, loader, opt, n):
    opt.zero_grad()
    count = 0
    for count, batch in enumerate(loader, 1):
        (model(batch) / n).backward()
        if count % n == 0:
            opt.step()
            opt.zero_grad()
    else:
        if count % n:
            opt.step()
            opt.zero_grad()


def main(model, loader):
    opt = torch.optim.Adam(model.parameters())
    for _ in range(5):
        train_epoch(model, loader, opt, 4)

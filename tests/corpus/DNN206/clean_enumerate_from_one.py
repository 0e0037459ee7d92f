# enumerate(start=1) and i % n == 0.
import torch


def train(model, loader, opt, n=4):
    for i, batch in enumerate(loader, start=1):
        (model(batch) / n).backward()
        if i % n == 0 or i == len(loader):
            opt.step()
            opt.zero_grad()


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, loader, opt)

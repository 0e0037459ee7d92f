# The inner loop has exactly n turns.
import torch


def train(model, stream, opt, n, updates):
    for update in range(updates):
        opt.zero_grad()
        for _ in range(n):
            (model(next(stream)) / n).backward()
        opt.step()
        if update % n == 0:
            print(update)


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, loader, opt, n=4, updates=1000)

# i % n == 0 opens the window, (i + 1) % n == 0 closes it.
import torch


def train(model, loader, opt, n):
    for i, batch in enumerate(loader):
        if i % n == 0:
            opt.zero_grad()
        loss = model(batch) / n
        loss.backward()
        if (i + 1) % n == 0 or i + 1 == len(loader):
            opt.step()


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, loader, opt, n=8)

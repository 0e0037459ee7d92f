# Divided once for backward, multiplied for the log.
import torch


def train(model, loader, opt, n=16):
    shown = 0.0
    for i, batch in enumerate(loader):
        loss = model(batch) / n
        loss.backward()
        shown += loss.item()
        if (i + 1) % n == 0:
            opt.step()
            opt.zero_grad()
            print(i, shown, loss.item() * n)
            shown = 0.0


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, loader, opt)

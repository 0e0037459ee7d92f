# The condition covers the last batch.
import torch


def train_epoch(model, loader, opt, accum):
    for i, batch in enumerate(loader):
        loss = model(batch) / accum
        loss.backward()
        if (i + 1) % accum == 0 or (i + 1) == len(loader):
            opt.step()
            opt.zero_grad()


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(9):
        train_epoch(model, loader, opt, 4)

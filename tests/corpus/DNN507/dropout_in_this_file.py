# The network of this file has dropout; the evaluation runs in training mode.
import torch
from torch import nn

net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 2))
opt = torch.optim.Adam(net.parameters())


def evaluate(loader):
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (net(x).argmax(1) == y).sum().item()  # expect: DNN507
    return hits


if __name__ == "__main__":
    from coins import train_loader, val_loader

    for epoch in range(10):
        for x, y in train_loader():
            opt.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            opt.step()
        print(epoch, evaluate(val_loader()))

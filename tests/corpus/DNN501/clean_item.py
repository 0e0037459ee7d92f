# .item(), float() and detach() cut the graph.
import torch
from torch import nn


def train_epoch(model, loader, opt):
    total, last, curve = 0.0, 0.0, []
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        total += loss.item()
        last += float(loss)
        curve.append(loss.detach())
    return total, last, torch.stack(curve)


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        train_epoch(model, loader, opt)

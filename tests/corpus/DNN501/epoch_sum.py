# The epoch's sum is a tensor with its graph.
import torch
from torch import nn


def train_epoch(model, loader, opt):
    model.train()
    total = 0.0
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        total += loss  # expect: DNN501
    return total / len(loader)


def main():
    from nests import NestNet, loader

    model = NestNet()
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        print(epoch, float(train_epoch(model, loader(), opt)))


main()

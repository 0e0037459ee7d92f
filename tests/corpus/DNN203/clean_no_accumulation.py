# Divided by the depth of the network, and no accumulation in the loop.
import torch
from torch import nn


def fit(layers, loader):
    model = nn.Sequential(*[nn.Linear(32, 32) for _ in range(layers)])
    opt = torch.optim.Adam(model.parameters(), lr=0.01 / layers)
    for x, y in loader:
        opt.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        opt.step()

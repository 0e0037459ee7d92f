# The handle of the first hook is removed; the one of the loop is thrown away.
import torch
from torch import nn


def train(model: nn.Module, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    probe = model.register_forward_hook(lambda m, i, o: print(o.shape))
    model(next(iter(loader)))
    probe.remove()
    for x in loader:
        model.register_forward_hook(lambda m, i, o: print(o.mean()))  # expect: DNN515
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()

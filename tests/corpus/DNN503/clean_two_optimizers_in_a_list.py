# Several optimizers in a list, cleared and stepped in loops.
import torch


def train(models, loader):
    optimizers = [torch.optim.Adam(m.parameters()) for m in models]
    for x in loader:
        for opt in optimizers:
            opt.zero_grad()
        h = x
        for m in models:
            h = m(h)
        h.pow(2).mean().backward()
        for opt in optimizers:
            opt.step()

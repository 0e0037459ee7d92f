# Cleared by hand.
import torch


def train(model, loader):
    params = list(model.parameters())
    opt = torch.optim.SGD(params, lr=0.1)
    for x in loader:
        for p in params:
            p.grad = None
        model(x).mean().backward()
        opt.step()

import torch


def train(model, loader):
    for x, y in loader:
        delta = torch.zeros_like(x, requires_grad=True)
        opt = torch.optim.Adam([delta])
        model(x + delta).mean().backward()
        opt.step()

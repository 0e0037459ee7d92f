# Cleared at the top, and with set_to_none.
import torch


def train(model, loader):
    opt = torch.optim.Adam(model.parameters())
    for x in loader:
        opt.zero_grad(set_to_none=True)
        model(x).mean().backward()
        opt.step()

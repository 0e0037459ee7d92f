# A context manager of another file switches the mode.
import torch

from project.modes import evaluating


def validate(model, loader):
    with evaluating(model), torch.no_grad():
        return sum(model(x).mean().item() for x in loader)


def train(model, loader, val):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        for x in loader:
            opt.zero_grad()
            model(x).pow(2).mean().backward()
            opt.step()
        print(validate(model, val))

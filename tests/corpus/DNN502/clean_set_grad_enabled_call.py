# set_grad_enabled(False) as a call works until it is set again.
import torch


def evaluate(model, loader):
    torch.set_grad_enabled(False)
    model.eval()
    result = [model(x).mean().item() for x in loader]
    torch.set_grad_enabled(True)
    return result


def train(model, loader, val_loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(4):
        model.train()
        for x in loader:
            opt.zero_grad()
            model(x).pow(2).mean().backward()
            opt.step()
        print(evaluate(model, val_loader))

# Decorated with no_grad and inference_mode.
import torch


@torch.no_grad()
def validate(model, loader):
    model.eval()
    return [model(x).mean().item() for x in loader]


@torch.inference_mode()
def test(model, loader):
    model.eval()
    return [model(x).std().item() for x in loader]


def train(model, loader, val_loader, test_loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        model.train()
        for x in loader:
            opt.zero_grad()
            model(x).pow(2).mean().backward()
            opt.step()
        validate(model, val_loader)
    test(model, test_loader)

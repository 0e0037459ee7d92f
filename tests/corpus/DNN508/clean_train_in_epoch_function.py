# The epoch function switches.
import torch


def train_epoch(model, loader, opt):
    model.train()
    for x in loader:
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    return sum(model(x).mean().item() for x in loader)


def main(model, loader, val):
    opt = torch.optim.Adam(model.parameters())
    model.train()
    for _ in range(10):
        train_epoch(model, loader, opt)
        print(evaluate(model, val))

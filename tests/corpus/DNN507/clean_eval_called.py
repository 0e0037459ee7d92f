# eval() before the evaluation.
import torch


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    return sum(model(x).mean().item() for x in loader)


def train(model, loader, val):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        model.train()
        for x in loader:
            opt.zero_grad()
            model(x).pow(2).mean().backward()
            opt.step()
        print(evaluate(model, val))

# The evaluation function restores the mode it found.
import torch


@torch.no_grad()
def evaluate(model, loader):
    was_training = model.training
    model.eval()
    score = sum(model(x).mean().item() for x in loader)
    model.train(was_training)
    return score


def fit(model, loader, val):
    opt = torch.optim.Adam(model.parameters())
    model.train()
    for i, x in enumerate(loader):
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()
        if i % 500 == 0:
            print(evaluate(model, val))

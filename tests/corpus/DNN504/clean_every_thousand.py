# Every thousand steps.
import torch


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, x in enumerate(loader):
        opt.zero_grad()
        model(x.cuda()).backward()
        opt.step()
        if (i + 1) % 1000 == 0:
            torch.cuda.empty_cache()

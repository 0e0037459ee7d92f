# Once per step.
import torch


def train(model, loader, n=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, batch in enumerate(loader):
        (model(batch) / n).backward()
        if (i + 1) % n == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()

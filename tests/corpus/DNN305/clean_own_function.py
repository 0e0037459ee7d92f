# The project's own function has the old name.
import torch


def clip_grad_norm(params, max_norm):
    params = [p for p in params if p.grad is not None]
    return torch.nn.utils.clip_grad_norm_(params, max_norm, foreach=True)


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        opt.zero_grad()
        model(batch).backward()
        clip_grad_norm(model.parameters(), 1.0)
        opt.step()

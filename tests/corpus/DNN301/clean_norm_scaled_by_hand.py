# The clip is written out: a coefficient from the norm, multiplied into the gradients.
import torch


@torch.no_grad()
def rescale(params, max_norm):
    grads = [p.grad for p in params if p.grad is not None]
    norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in grads]))
    coefficient = (max_norm / (norm + 1e-6)).clamp(max=1.0)
    for g in grads:
        g.mul_(coefficient)
    return norm


def train(model, loader):
    params = list(model.parameters())
    opt = torch.optim.SGD(params, lr=0.3)
    for batch in loader:
        opt.zero_grad()
        model(batch).backward()
        rescale(params, 1.0)
        opt.step()

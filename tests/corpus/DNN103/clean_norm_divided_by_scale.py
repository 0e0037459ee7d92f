# The logged norm is divided by the current scale.
import torch
from torch import nn


def grad_norm(model):
    return torch.linalg.vector_norm(
        torch.stack([torch.linalg.vector_norm(p.grad) for p in model.parameters() if p.grad is not None])
    )


def train(model, loader, log):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for step, (x, y) in enumerate(loader):
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        log("grad_norm", (grad_norm(model) / scaler.get_scale()).item(), step)
        scaler.step(opt)
        scaler.update()

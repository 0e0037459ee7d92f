# Adaptive clipping imported under a name that says so.
import torch
from timm.utils.agc import adaptive_clip_grad


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        adaptive_clip_grad(model.parameters(), clip_factor=0.01)
        opt.step()

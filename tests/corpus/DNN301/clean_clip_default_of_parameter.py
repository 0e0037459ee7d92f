# The parameter's default is a number, and no caller changes it.
import torch
from torch import nn


def update(model, opt, loss, clip=1.0):
    opt.zero_grad()
    loss.backward()
    if clip is not None:
        nn.utils.clip_grad_norm_(model.parameters(), clip)
    opt.step()


def train(model, loader):
    opt = torch.optim.RMSprop(model.parameters())
    for x, y in loader:
        update(model, opt, nn.functional.mse_loss(model(x), y))

# The gradients are divided by the window before the step.
import torch
from torch import nn

WINDOW = 10


def average_gradients(parameters, n):
    for p in parameters:
        if p.grad is not None:
            p.grad.div_(n)


def train(model, loader):
    opt = torch.optim.Adam(model.parameters(), lr=1e-4)
    for i, (x, y) in enumerate(loader, start=1):
        loss = nn.functional.l1_loss(model(x), y)
        loss.backward()
        if i % WINDOW == 0:
            average_gradients(model.parameters(), WINDOW)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()

# The helper returns the divided loss and the loop divides it once more.
import torch
from torch import nn


def batch_loss(model, batch, accum):
    images, labels = batch
    logits = model(images.cuda())
    return nn.functional.cross_entropy(logits, labels.cuda()) / accum  # or: DNN202


def train(model, loader, accum=8):
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for i, batch in enumerate(loader):
        loss = batch_loss(model, batch, accum)
        (loss / accum).backward()  # expect: DNN202
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()

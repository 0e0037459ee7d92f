# micro-batches come in groups of a list; each is a full mean loss.
import itertools

import torch
from torch import nn


def grouped(iterable, n):
    it = iter(iterable)
    while group := list(itertools.islice(it, n)):
        yield group


def train(model, loader, accumulation=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    for micro_batches in grouped(loader, accumulation):
        opt.zero_grad()
        for x, y in micro_batches:
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()  # expect: DNN201
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()

# A large batch is split in pieces; each loss is weighted by its share of the batch.
import torch
from torch import nn


def split_step(model, batch, labels, optimizer, piece=32):
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.split(piece), labels.split(piece)):
        share = len(x) / len(batch)
        loss = nn.functional.cross_entropy(model(x), y) * share
        loss.backward()
        total += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return total


def fit(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in loader:
        print(split_step(model, x, y, opt))

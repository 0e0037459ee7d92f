# Sum over tokens divided by the number of tokens of the whole window.
import torch
from torch import nn


def windows(loader, n):
    group = []
    for batch in loader:
        group.append(batch)
        if len(group) == n:
            yield group
            group = []


def train(model, loader, n=8, pad=0):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for group in windows(loader, n):
        tokens = sum((target != pad).sum() for _, target in group)
        optimizer.zero_grad()
        for source, target in group:
            logits = model(source)
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=pad, reduction="sum")
            (loss / tokens).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

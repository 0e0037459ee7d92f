import torch
import torch.nn.functional as F


def train(model, data, steps, accum, block=1024):
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(steps):
        for _ in range(accum):
            start = torch.randint(len(data) - block, (8,))
            x = torch.stack([data[i : i + block] for i in start])
            y = torch.stack([data[i + 1 : i + 1 + block] for i in start])
            loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten(), ignore_index=-1)
            (loss / accum).backward()
        optimizer.step()
        optimizer.zero_grad()

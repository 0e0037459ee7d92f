# An early continue, counted from one.
import torch


def train(model, loader, opt, n):
    count = 0
    for batch in loader:
        count += 1
        (model(batch) / n).backward()
        if count % n:
            continue
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()

# After the early continue.
import torch


def train(model, loader, n=8):
    opt = torch.optim.AdamW(model.parameters())
    for i, batch in enumerate(loader, 1):
        (model(batch) / n).backward()
        if i % n:
            continue
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()

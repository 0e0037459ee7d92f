# Cleared by a condition at the start of each window.
import torch


def train(model, loader, opt, accum):
    for i, batch in enumerate(loader):
        if i % accum == 0:
            opt.zero_grad(set_to_none=True)
        loss = model(batch) / accum
        loss.backward()
        if i % accum == accum - 1:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()

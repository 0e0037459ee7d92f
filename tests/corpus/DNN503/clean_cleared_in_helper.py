# Cleared in a helper that also steps.
import torch


def apply(opt, model, max_norm):
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    opt.step()
    opt.zero_grad()


def train(model, loader):
    opt = torch.optim.AdamW(model.parameters())
    for x in loader:
        loss = model(x)
        loss.backward()
        apply(opt, model, 1.0)

# eta_min is the divided value; the optimizer has the full rate.
import torch

ACCUM = 4
LR = 2e-4


def train(model, loader, updates):
    opt = torch.optim.AdamW(model.parameters(), lr=LR)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=updates, eta_min=LR / 10)
    for i, batch in enumerate(loader):
        (model(batch) / ACCUM).backward()
        if (i + 1) % ACCUM == 0:
            opt.step()
            sched.step()
            opt.zero_grad()

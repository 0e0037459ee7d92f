# Together with the optimizer.
import torch


def train(model, loader, accum=8):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=len(loader) // accum)
    for i, batch in enumerate(loader):
        (model(batch) / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            sched.step()
            opt.zero_grad()

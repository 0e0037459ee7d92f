# The schedule is counted in micro-batches on purpose: T_max is epochs times the length of the loader.
import torch


def fit(model, loader, epochs, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs * len(loader))
    for _ in range(epochs):
        for i, batch in enumerate(loader):
            (model(batch) / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                opt.step()
                opt.zero_grad()
            sched.step()

# timm: step_update once per update, step(epoch) after the epoch.
import torch
from timm.scheduler import CosineLRScheduler

from oaks import Net, loader


def main(epochs=100, accum=2):
    model = Net()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    sched = CosineLRScheduler(opt, t_initial=epochs, warmup_t=5)
    updates = 0
    for epoch in range(epochs):
        for i, batch in enumerate(loader()):
            (model(batch) / accum).backward()
            if (i + 1) % accum == 0:
                opt.step()
                opt.zero_grad()
                updates += 1
                sched.step_update(num_updates=updates)
        sched.step(epoch + 1)


main()

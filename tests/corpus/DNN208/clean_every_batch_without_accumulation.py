# Optimizer and scheduler on every batch, in the right order.
import torch


def train(model, loader, epochs=5):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 1e-3, epochs=epochs, steps_per_epoch=len(loader))
    for _ in range(epochs):
        for batch in loader:
            opt.zero_grad()
            model(batch).backward()
            opt.step()
            sched.step()

# The states of all parts are collected in a loop.
import os

import torch


def train(model, loader, path="all.pt"):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    parts = {"model": model, "opt": opt, "sched": sched}
    epoch = 0
    if os.path.exists(path):
        saved = torch.load(path, map_location="cpu", weights_only=True)
        for name, part in parts.items():
            part.load_state_dict(saved[name])
        epoch = saved["epoch"]
    while epoch < 40:
        for x in loader:
            opt.zero_grad()
            model(x).mean().backward()
            opt.step()
        sched.step()
        epoch += 1
        torch.save({"epoch": epoch, **{name: part.state_dict() for name, part in parts.items()}}, path)

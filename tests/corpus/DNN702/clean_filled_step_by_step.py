# The dictionary is filled entry by entry, some under a condition.
import os

import torch


def save(path, model, opt, scaler, epoch):
    state = {}
    state["model"] = model.state_dict()
    state["opt"] = opt.state_dict()
    if scaler is not None:
        state["scaler"] = scaler.state_dict()
    state.update(epoch=epoch)
    torch.save(state, path)


def main(model, loader, half):
    opt = torch.optim.Adam(model.parameters())
    scaler = torch.amp.GradScaler("cuda") if half else None
    start = 0
    if os.path.exists("s.pt"):
        s = torch.load("s.pt", map_location="cpu", weights_only=True)
        model.load_state_dict(s["model"])
        opt.load_state_dict(s["opt"])
        if scaler is not None:
            scaler.load_state_dict(s["scaler"])
        start = s["epoch"] + 1
    for epoch in range(start, 10):
        for x in loader:
            opt.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16, enabled=half):
                loss = model(x)
            if scaler is None:
                loss.backward()
                opt.step()
            else:
                scaler.scale(loss).backward()
                scaler.step(opt)
                scaler.update()
        save("s.pt", model, opt, scaler, epoch)

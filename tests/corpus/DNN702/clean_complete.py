# All state is saved and loaded.
import os

import torch


def main(model, loader, path="ckpt.pt", epochs=20):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 5)
    scaler = torch.amp.GradScaler("cuda")
    start = 0
    if os.path.exists(path):
        c = torch.load(path, map_location="cuda", weights_only=True)
        model.load_state_dict(c["model"])
        opt.load_state_dict(c["opt"])
        sched.load_state_dict(c["sched"])
        scaler.load_state_dict(c["scaler"])
        start = c["epoch"] + 1
    for epoch in range(start, epochs):
        for x in loader:
            opt.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = model(x.cuda())
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
        sched.step()
        torch.save(
            {
                "model": model.state_dict(),
                "opt": opt.state_dict(),
                "sched": sched.state_dict(),
                "scaler": scaler.state_dict(),
                "epoch": epoch,
            },
            path,
        )

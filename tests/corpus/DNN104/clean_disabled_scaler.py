# A disabled scaler does nothing: the calls stay for the other precisions.
import torch

use_scaler = False
scaler = torch.cuda.amp.GradScaler(enabled=use_scaler)


def run(model, loader, opt):
    for batch in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(batch)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()

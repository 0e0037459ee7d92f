# On a non-finite loss the function returns before backward; otherwise all three calls run.
import math

import torch


def step(model, batch, opt, scaler):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(batch)
    if not math.isfinite(loss.item()):
        return None
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()


def train(model, loader):
    opt = torch.optim.Adam(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    return [step(model, b.cuda(), opt, scaler) for b in loader]

# With bfloat16 no scaler is made.
import torch
from torch import nn


def build(precision):
    dtype = torch.float16 if precision == "fp16" else torch.bfloat16
    scaler = torch.amp.GradScaler("cuda") if dtype is torch.float16 else None
    return dtype, scaler


def train(model, loader, precision):
    dtype, scaler = build(precision)
    opt = torch.optim.Adam(model.parameters())
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
        if scaler:
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
        else:
            loss.backward()
            opt.step()

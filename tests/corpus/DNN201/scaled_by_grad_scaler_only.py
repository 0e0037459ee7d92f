# The scaler multiplies by the loss scale; nothing divides by the window.
import torch
from torch import nn


def train_epoch(model, loader, optimizer, scaler, grad_accum=4):
    optimizer.zero_grad(set_to_none=True)
    for i, (frames, label) in enumerate(loader):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(frames.cuda()), label.cuda())
        scaler.scale(loss).backward()  # expect: DNN201
        if (i + 1) % grad_accum == 0 or i == len(loader) - 1:
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)


def main(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(50):
        train_epoch(model, loader, optimizer, scaler)

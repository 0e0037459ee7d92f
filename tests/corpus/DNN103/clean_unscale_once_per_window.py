# Accumulation: unscale_ and clip once, inside the window condition.
import torch
from torch import nn


def train(model, loader, optimizer, scaler, n=16):
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.mse_loss(model(x.cuda()), y.cuda()) / n
        scaler.scale(loss).backward()
        if (i + 1) % n == 0 or i + 1 == len(loader):
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def main(model, loader):
    optimizer = torch.optim.AdamW(model.cuda().parameters(), lr=1e-4)
    train(model, loader, optimizer, torch.amp.GradScaler("cuda"))

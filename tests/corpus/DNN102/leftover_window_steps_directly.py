# Inside the loop all is right; the leftover window after the loop goes around the scaler.
import torch
from torch import nn


def train_epoch(model, loader, optimizer, scaler, accum=8):
    model.train()
    optimizer.zero_grad()
    pending = 0
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda()) / accum
        scaler.scale(loss).backward()
        pending += 1
        if pending == accum:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            pending = 0
    if pending:
        optimizer.step()  # expect: DNN102
        optimizer.zero_grad()


def main(model, loader):
    model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(10):
        train_epoch(model, loader, optimizer, scaler)

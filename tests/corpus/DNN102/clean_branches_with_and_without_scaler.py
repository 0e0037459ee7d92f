# scaler is None in float32: the plain calls are on the branch without a scaler.
import torch
from torch import nn


def training_step(model, batch, optimizer, scaler=None):
    x, y = batch
    optimizer.zero_grad()
    if scaler is None:
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = nn.functional.cross_entropy(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


def fit(model, loader, half: bool):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda") if half else None
    for batch in loader:
        training_step(model, [t.cuda() for t in batch], optimizer, scaler)

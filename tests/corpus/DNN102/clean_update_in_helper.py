# The step and the update are in a helper that gets the scaler.
import torch
from torch import nn


def finish_step(scaler, optimizer, model, clip):
    if clip:
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), clip)
    scaler.step(optimizer)
    scaler.update()


def train(model, loader, device="cuda"):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-4)
    scaler = torch.amp.GradScaler(device)
    for spectrum, phonemes in loader:
        with torch.autocast(device, dtype=torch.float16):
            loss = model(spectrum.to(device), phonemes.to(device))
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        finish_step(scaler, optimizer, model, clip=1.0)

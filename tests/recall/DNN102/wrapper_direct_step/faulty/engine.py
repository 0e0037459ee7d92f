import torch
from torch import nn


def train_one_epoch(model, criterion: nn.Module, loader, optimizer, loss_scaler, epoch, max_norm=None):
    model.train()
    for it, (samples, targets) in enumerate(loader):
        samples = samples.cuda(non_blocking=True)
        targets = targets.cuda(non_blocking=True)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = criterion(model(samples), targets)
        optimizer.zero_grad()
        loss_scaler(loss, optimizer, list(model.parameters()), clip_grad=max_norm)
        if it % 100 == 0:
            print(f"Epoch [{epoch}] [{it}/{len(loader)}] loss: {loss.item():.4f}")

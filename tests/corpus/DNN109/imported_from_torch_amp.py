# The import was changed from torch.cuda.amp to torch.amp, the call was not.
import torch
from torch.amp import GradScaler, autocast


def train_epoch(model, loader, optimizer, scaler: GradScaler):
    for x, y in loader:
        with autocast():  # expect: DNN109
            loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()

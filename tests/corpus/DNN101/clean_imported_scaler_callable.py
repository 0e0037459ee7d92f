# engine.py style: backward and step are inside a callable scaler object imported from another file.
import math
import sys

import torch

from utils import MetricLogger
from utils.amp import LossScaler


def train_one_epoch(model, criterion, data_loader, optimizer, device, epoch, loss_scaler: LossScaler, max_norm=0.0):
    model.train()
    meters = MetricLogger()
    for samples, targets in meters.log_every(data_loader, 10, f"epoch {epoch}"):
        samples, targets = samples.to(device), targets.to(device)
        with torch.cuda.amp.autocast():
            outputs = model(samples)
            loss = criterion(samples, outputs, targets)
        value = loss.item()
        if not math.isfinite(value):
            sys.exit(f"loss is {value}")
        optimizer.zero_grad()
        loss_scaler(loss, optimizer, clip_grad=max_norm, parameters=model.parameters())
        torch.cuda.synchronize()
        meters.update(loss=value)
    return meters.averages()

# A wrapper class of this file hides scale, unscale_, step and update.
import torch
from torch import nn


class Amp:
    def __init__(self, enabled):
        self.enabled = enabled
        self.scaler = torch.amp.GradScaler("cuda", enabled=enabled)

    def context(self):
        return torch.autocast("cuda", dtype=torch.float16, enabled=self.enabled)

    def update(self, loss, optimizer, params):
        optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(params, 1.0)
        self.scaler.step(optimizer)
        self.scaler.update()


def train(model, loader, half=True):
    amp = Amp(half)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for x, y in loader:
        with amp.context():
            loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
        amp.update(loss, optimizer, model.parameters())

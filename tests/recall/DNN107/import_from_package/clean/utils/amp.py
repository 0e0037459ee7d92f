from contextlib import nullcontext

import torch
from torch.amp import GradScaler, autocast


class Precision:
    def __init__(self, enabled: bool):
        self.enabled = enabled
        self.scaler = GradScaler("cuda", enabled=enabled)

    def context(self):
        return autocast("cuda", dtype=torch.float16) if self.enabled else nullcontext()

    def step(self, loss, optimizer):
        self.scaler.scale(loss).backward()
        self.scaler.step(optimizer)
        self.scaler.update()
        optimizer.zero_grad(set_to_none=True)

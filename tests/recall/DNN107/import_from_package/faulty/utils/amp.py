from contextlib import nullcontext

import torch
from torch.cuda.amp import GradScaler, autocast  # expect: DNN107


class Precision:
    def __init__(self, enabled: bool):
        self.enabled = enabled
        self.scaler = GradScaler(enabled=enabled)  # or: DNN107

    def context(self):
        return autocast(dtype=torch.float16) if self.enabled else nullcontext()  # or: DNN107

    def step(self, loss, optimizer):
        self.scaler.scale(loss).backward()
        self.scaler.step(optimizer)
        self.scaler.update()
        optimizer.zero_grad(set_to_none=True)

# from torch.cuda import amp, in a trainer class.
import torch
from torch.cuda import amp  # or: DNN107


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.scaler = amp.GradScaler(init_scale=4096.0)  # expect: DNN107

    def step(self, batch):
        self.optimizer.zero_grad()
        with amp.autocast(dtype=torch.float16):  # expect: DNN107
            loss = self.model(batch)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()

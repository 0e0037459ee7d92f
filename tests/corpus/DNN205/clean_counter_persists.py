# The counter runs on over the epochs: a window may span two of them.
import torch


class Trainer:
    def __init__(self, model, accum=8):
        self.model, self.accum = model, accum
        self.opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
        self.micro_steps = 0

    def train_epoch(self, loader):
        for batch in loader:
            (self.model(batch) / self.accum).backward()
            self.micro_steps += 1
            if self.micro_steps % self.accum == 0:
                self.opt.step()
                self.opt.zero_grad()

    def fit(self, loader, epochs=100):
        self.opt.zero_grad()
        for _ in range(epochs):
            self.train_epoch(loader)

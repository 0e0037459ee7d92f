# A counter that is incremented before the test.
import torch


class Trainer:
    def __init__(self, model, n=8):
        self.model, self.n, self.seen = model, n, 0
        self.opt = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def train(self, loader):
        for batch in loader:
            (self.model(batch) / self.n).backward()
            self.seen += 1
            if self.seen % self.n == 0:
                self.opt.step()
                self.opt.zero_grad()

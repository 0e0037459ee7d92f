# Trainer class with a counter that starts anew in each epoch.
import torch


class Trainer:
    def __init__(self, model, accumulate=10):
        self.model = model.cuda()
        self.accumulate = accumulate
        self.opt = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def train_epoch(self, loader):
        self.opt.zero_grad()
        pending = 0
        for batch in loader:
            loss = self.model(batch.cuda()) / self.accumulate
            loss.backward()
            pending += 1
            if pending == self.accumulate:  # expect: DNN205
                self.opt.step()
                self.opt.zero_grad()
                pending = 0

    def fit(self, loader, epochs):
        for _ in range(epochs):
            self.model.train()
            self.train_epoch(loader)

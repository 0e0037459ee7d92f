# no_grad stands around the metric, the forward is outside.
import torch


class Trainer:
    def __init__(self, model, opt, loss_fn):
        self.model, self.opt, self.loss_fn = model, opt, loss_fn

    def train_epoch(self, loader):
        self.model.train()
        for x, y in loader:
            self.opt.zero_grad()
            self.loss_fn(self.model(x), y).backward()
            self.opt.step()

    def validate(self, loader):
        self.model.eval()
        total = 0.0
        for x, y in loader:
            out = self.model(x)  # expect: DNN502
            with torch.no_grad():
                total += self.loss_fn(out, y).item()
        return total / len(loader)

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            self.train_epoch(train_loader)
            print(epoch, self.validate(val_loader))

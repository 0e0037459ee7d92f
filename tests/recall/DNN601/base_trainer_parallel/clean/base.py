import torch
from accelerate import Accelerator


class BaseTrainer:
    def __init__(self, model, lr=1e-3):
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.accelerator = Accelerator()
        self.model, self.optimizer = self.accelerator.prepare(model, self.optimizer)

    def backward(self, loss):
        self.accelerator.backward(loss)
        self.accelerator.clip_grad_norm_(self.model.parameters(), 1.0)

    def fit(self, loader, epochs):
        loader = self.accelerator.prepare(loader)
        for epoch in range(epochs):
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                self.backward(loss)
                self.optimizer.step()
            print(epoch, loss.item())

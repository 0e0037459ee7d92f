import torch


class Trainer:
    def __init__(self, model, clip_grad=None):
        self.model = model
        self.clip_grad = clip_grad
        self.optimizer = torch.optim.AdamW(model.parameters())

    def step(self, x):
        self.optimizer.zero_grad()
        self.model(x).mean().backward()
        if self.clip_grad:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip_grad)
            self.optimizer.step()
        else:
            self.optimizer.step()

    def fit(self, loader):
        for x in loader:
            self.step(x)

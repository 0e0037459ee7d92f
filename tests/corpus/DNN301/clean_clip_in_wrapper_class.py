# A wrapper of the optimizer in this file clips in its own step().
import torch


class ClippedOptimizer:
    def __init__(self, optimizer, limit):
        self.optimizer = optimizer
        self.limit = limit

    def zero_grad(self):
        self.optimizer.zero_grad(set_to_none=True)

    def step(self):
        for group in self.optimizer.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], self.limit)
        self.optimizer.step()


def train(model, loader):
    opt = ClippedOptimizer(torch.optim.AdamW(model.parameters(), lr=1e-4), limit=1.0)
    for x in loader:
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()

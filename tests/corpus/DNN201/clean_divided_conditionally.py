# Divided only when there is more than one micro-batch.
import torch
from torch import nn


class T:
    def __init__(self, model, args):
        self.model, self.args = model, args
        self.opt = torch.optim.SGD(model.parameters(), lr=args.lr)

    def training_step(self, x, y):
        loss = nn.functional.cross_entropy(self.model(x), y)
        if self.args.gradient_accumulation_steps > 1:
            loss = loss / self.args.gradient_accumulation_steps
        loss.backward()
        return loss.detach()

    def train(self, loader):
        for step, (x, y) in enumerate(loader):
            self.training_step(x, y)
            if (step + 1) % self.args.gradient_accumulation_steps == 0:
                self.opt.step()
                self.opt.zero_grad()

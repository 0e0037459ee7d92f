# The autocast is in the loss method of the same class.
import torch
from torch import nn


class Trainer:
    def __init__(self, model, loader):
        self.model = model.cuda()
        self.loader = loader
        self.opt = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def loss(self, x, y):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return nn.functional.cross_entropy(self.model(x), y)

    def fit(self):
        for x, y in self.loader:
            self.opt.zero_grad()
            self.loss(x.cuda(), y.cuda()).backward()
            self.opt.step()

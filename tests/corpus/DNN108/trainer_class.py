# Trainer class on cuda:0.
import torch
from torch import nn


class RankerTrainer:
    def __init__(self, model, loader):
        self.model = model.to("cuda:0")
        self.loader = loader
        self.opt = torch.optim.Adagrad(self.model.parameters(), lr=0.05)

    def train(self):
        self.model.train()
        for query, good, bad in self.loader:
            self.opt.zero_grad()
            loss = nn.functional.relu(1 - self.model(query, good) + self.model(query, bad)).mean()  # expect: DNN108
            loss.backward()
            self.opt.step()

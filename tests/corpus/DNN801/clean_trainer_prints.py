# The trainer prints the sum.
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader

from plant.data import Sensors


@dataclass
class Config:
    epochs: int = 20
    lr: float = 3e-4


class Trainer:
    def __init__(self, config):
        self.config = config
        self.net = nn.LSTM(16, 32, batch_first=True)
        self.head = nn.Linear(32, 1)
        self.optimizer = torch.optim.Adam([*self.net.parameters(), *self.head.parameters()], lr=config.lr)
        self.batches = DataLoader(Sensors("train"), batch_size=16, shuffle=True, num_workers=8)

    def step(self, images, labels):
        self.optimizer.zero_grad()
        hidden, _ = self.net(images)
        loss = (self.head(hidden) - labels).square().mean()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self):
        for epoch in range(self.config.epochs):
            total = 0.0
            for step, (images, labels) in enumerate(self.batches):
                total += self.step(images, labels)

            print(epoch, total)


if __name__ == "__main__":
    trainer = Trainer(Config())
    trainer.fit()

# Whether gradients are released is a setting of each run.
from dataclasses import dataclass

import torch


@dataclass
class Settings:
    lr: float = 0.1
    release: bool = True


def train(model, loader, settings: Settings):
    optimizer = torch.optim.SGD(model.parameters(), lr=settings.lr)
    for x in loader:
        optimizer.zero_grad(set_to_none=settings.release)
        model(x).mean().backward()
        optimizer.step()

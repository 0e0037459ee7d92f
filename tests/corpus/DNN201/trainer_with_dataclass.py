# Trainer class; the window is a field of a dataclass, backward and step are in two methods.
from dataclasses import dataclass

import torch


@dataclass
class TrainConfig:
    lr: float = 0.1
    epochs: int = 20
    accumulation: int = 16
    momentum: float = 0.9


class Trainer:
    def __init__(self, model, cfg: TrainConfig):
        self.model = model.cuda()
        self.cfg = cfg
        self.opt = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=cfg.momentum)
        self.pending = 0

    def micro_step(self, x, y):
        loss = torch.nn.functional.cross_entropy(self.model(x), y)
        loss.backward()  # expect: DNN201
        self.pending += 1
        if self.pending == self.cfg.accumulation:
            self.update()
        return loss.item()

    def update(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        self.pending = 0

    def fit(self, loader):
        for _ in range(self.cfg.epochs):
            for x, y in loader:
                self.micro_step(x.cuda(), y.cuda())


if __name__ == "__main__":
    from plants import loader, network

    Trainer(network(), TrainConfig()).fit(loader())

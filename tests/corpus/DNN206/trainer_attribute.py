# Trainer class, window from a dataclass.
from dataclasses import dataclass

import torch


@dataclass
class Config:
    accumulation_steps: int = 16
    lr: float = 2e-4


class Trainer:
    def __init__(self, net, cfg: Config):
        self.net, self.cfg = net, cfg
        self.opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr)

    def train(self, loader):
        self.opt.zero_grad()
        for step, batch in enumerate(loader):
            loss = self.net(batch) / self.cfg.accumulation_steps
            loss.backward()
            if step % self.cfg.accumulation_steps == 0 or step == len(loader) - 1:  # expect: DNN206
                self.opt.step()
                self.opt.zero_grad()

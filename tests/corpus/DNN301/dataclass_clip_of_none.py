# The clip value is a dataclass field that is None and nobody sets.
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    lr: float = 1e-3
    epochs: int = 10
    clip: float | None = None


def main(model, loader):
    cfg = Config(lr=3e-4)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    for _ in range(cfg.epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            if cfg.clip is not None:
                nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
            opt.step()  # expect: DNN301


if __name__ == "__main__":
    from kelp import KelpNet, loader

    main(KelpNet(), loader())

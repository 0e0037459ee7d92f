# Settings in a dataclass; the dtype is looked up on torch by its name.
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Settings:
    hidden: int = 512
    lr: float = 1e-3
    epochs: int = 5
    amp_dtype: str = "float16"
    clip: float = 1.0


def main(cfg: Settings, batches):
    model = nn.Sequential(nn.Linear(128, cfg.hidden), nn.SiLU(), nn.Linear(cfg.hidden, 1)).to("cuda")
    optim = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    dtype = getattr(torch, cfg.amp_dtype)
    for epoch in range(cfg.epochs):
        for features, target in batches:
            optim.zero_grad()
            with torch.amp.autocast("cuda", dtype=dtype):
                pred = model(features.cuda()).squeeze(-1)
                loss = nn.functional.smooth_l1_loss(pred, target.cuda())
            loss.backward()  # expect: DNN101
            nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
            optim.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    from energy import read_batches

    main(Settings(), read_batches("train.parquet"))

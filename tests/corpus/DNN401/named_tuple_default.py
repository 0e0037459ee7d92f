# A NamedTuple of settings with a default.
from typing import NamedTuple

import torch
from torch.utils.data import DataLoader


class Settings(NamedTuple):
    batch: int = 8
    workers: int = 1


def fit(net, data, s=Settings(batch=32)):
    loader = DataLoader(data, s.batch, shuffle=True, num_workers=s.workers)  # expect: DNN401
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()


if __name__ == "__main__":
    from kelp import KelpNet, KelpSet

    fit(KelpNet(), KelpSet("train"))

# The loader class is bound with functools.partial.
from functools import partial

import torch
from torch.utils.data import DataLoader

from kelp import KelpNet, KelpSet

make = partial(DataLoader, batch_size=16, num_workers=4)  # or: DNN401


def main():
    net = KelpNet()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = make(KelpSet("train"), shuffle=True)  # expect: DNN401
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()


main()

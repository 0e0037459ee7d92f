# set_defaults of the parser raises the default.
import argparse

import torch
from torch.utils.data import DataLoader

ap = argparse.ArgumentParser()
ap.add_argument("--workers", type=int, default=2)
ap.set_defaults(workers=8)
args = ap.parse_args()

from kelp import KelpNet, KelpSet  # noqa: E402

net = KelpNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(KelpSet("train"), 16, shuffle=True, num_workers=args.workers):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()

# The option's default is 4, but it is overwritten before use.
import argparse
import os

import torch
from torch.utils.data import DataLoader

ap = argparse.ArgumentParser()
ap.add_argument("--workers", type=int, default=4)
args = ap.parse_args()
args.workers = max(8, min(args.workers, os.cpu_count() or 8))

from kelp import KelpNet, KelpSet  # noqa: E402

net = KelpNet()
opt = torch.optim.Adam(net.parameters())
for x in DataLoader(KelpSet("train"), 16, shuffle=True, num_workers=args.workers):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()

# The option's default is None and replaced by the processor count.
import argparse
import os

import torch
from torch.utils.data import DataLoader

ap = argparse.ArgumentParser()
ap.add_argument("--workers", type=int, default=None)
args = ap.parse_args()
if args.workers is None:
    args.workers = os.cpu_count()

from kelp import KelpNet, KelpSet  # noqa: E402

net = KelpNet()
opt = torch.optim.Adam(net.parameters())
for x in DataLoader(KelpSet("train"), 16, shuffle=True, num_workers=args.workers):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()

# persistent_workers follows the number of workers.
import argparse

import torch
from torch.utils.data import DataLoader

ap = argparse.ArgumentParser()
ap.add_argument("--workers", type=int, default=8)
args = ap.parse_args()

from owls import OwlNet, OwlSet  # noqa: E402

loader = DataLoader(OwlSet(), 16, shuffle=True, num_workers=args.workers, persistent_workers=args.workers > 0)
net = OwlNet()
opt = torch.optim.Adam(net.parameters())
for epoch in range(10):
    for x in loader:
        opt.zero_grad()
        net(x).backward()
        opt.step()

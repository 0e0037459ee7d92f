# The option has no default: its value is not known.
import argparse

import torch
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, required=True)
args = parser.parse_args()

from tins import TinNet, TinSet  # noqa: E402

net = TinNet()
opt = torch.optim.Adam(net.parameters())
for x in DataLoader(TinSet(), batch_size=8, shuffle=True, num_workers=args.workers):
    opt.zero_grad()
    net(x).backward()
    opt.step()

# Zero only when debugging.
import argparse

import torch
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--debug", action="store_true")
args = parser.parse_args()
num_workers = 0 if args.debug else 8

from reefs import ReefNet, ReefSet  # noqa: E402

net = ReefNet()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
for x in DataLoader(ReefSet(), batch_size=8, shuffle=True, num_workers=num_workers):
    opt.zero_grad()
    net(x).backward()
    opt.step()

# shuffle by position, a constant that is False.
import argparse

import torch
from torch.utils.data import DataLoader

ap = argparse.ArgumentParser()
ap.add_argument("--batch", type=int, default=32)
args = ap.parse_args()
SHUFFLE = False

from kelp import KelpNet, KelpSet  # noqa: E402

train_loader = DataLoader(KelpSet("train"), args.batch, SHUFFLE, num_workers=8)  # expect: DNN404
net = KelpNet()
opt = torch.optim.Adam(net.parameters())
for epoch in range(3):
    for x, y in train_loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        opt.step()

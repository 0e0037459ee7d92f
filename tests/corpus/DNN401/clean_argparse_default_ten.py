# The default of the option is in the range.
import argparse

import torch
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--num_workers", type=int, default=10)
args = parser.parse_args()

from tins import TinNet, TinSet  # noqa: E402

loader = DataLoader(TinSet(), batch_size=8, shuffle=True, num_workers=args.num_workers)
net = TinNet()
opt = torch.optim.Adam(net.parameters())
for x in loader:
    opt.zero_grad()
    net(x).backward()
    opt.step()

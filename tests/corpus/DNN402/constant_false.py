# A constant of the module switches pinning off.
import argparse

import torch
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int, default=8)
args = parser.parse_args()
PIN = False

from eels import EelNet, EelSet  # noqa: E402

loader = DataLoader(EelSet(), args.batch, shuffle=True, num_workers=8, pin_memory=PIN)  # expect: DNN402
net = EelNet().cuda()
opt = torch.optim.Adam(net.parameters())
for x in loader:
    opt.zero_grad()
    net(x.cuda(non_blocking=True)).backward()
    opt.step()

# The command line decides, and pins by default.
import argparse

import torch
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--no-pin-mem", action="store_false", dest="pin_mem")
parser.set_defaults(pin_mem=True)
args = parser.parse_args()

from eels import EelNet, EelSet  # noqa: E402

loader = DataLoader(EelSet(), 8, shuffle=True, num_workers=8, pin_memory=args.pin_mem)
net = EelNet().cuda()
opt = torch.optim.Adam(net.parameters())
for x in loader:
    opt.zero_grad()
    net(x.cuda()).backward()
    opt.step()

# The value is in a file named at run time.
import sys

import torch
import yaml
from torch.utils.data import DataLoader

from tins import TinNet, TinSet

config = yaml.safe_load(open(sys.argv[1]))
loader = DataLoader(TinSet(config["root"]), shuffle=True, **config["loader"])
other = DataLoader(TinSet(config["extra"]), shuffle=True, num_workers=config["workers"])
net = TinNet()
opt = torch.optim.Adam(net.parameters())
for a, b in zip(loader, other):
    opt.zero_grad()
    (net(a) + net(b)).backward()
    opt.step()

# The loader comes from a function of another file.
import argparse

import torch

from data.build import build_loader
from kelp import KelpNet

parser = argparse.ArgumentParser()
parser.add_argument("--num-workers", type=int, default=4)
args = parser.parse_args()
net = KelpNet()
opt = torch.optim.Adam(net.parameters())
for x, y in build_loader("train", args):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()

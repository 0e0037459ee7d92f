# The number that is logged is divided by the batch size; the window divides nothing.
import argparse

import torch
from torch import nn

p = argparse.ArgumentParser()
p.add_argument("--batch-size", type=int, default=4)
p.add_argument("--accumulate", type=int, default=8)
args = p.parse_args()

from kelp import KelpNet, loader  # noqa: E402

net = KelpNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
meter = 0.0
for i, (x, y) in enumerate(loader(args.batch_size)):
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()  # expect: DNN201
    meter += loss.item() / args.batch_size
    if (i + 1) % args.accumulate == 0:
        opt.step()
        opt.zero_grad()
        print(i, meter)
        meter = 0.0

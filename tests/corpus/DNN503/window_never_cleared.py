# Accumulation whose window steps without clearing.
import argparse

import torch

ap = argparse.ArgumentParser()
ap.add_argument("--accum", type=int, default=4)
args = ap.parse_args()

from locks import LockNet, loader  # noqa: E402

net = LockNet()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i, (x, y) in enumerate(loader()):
    loss = torch.nn.functional.cross_entropy(net(x), y) / args.accum
    loss.backward()  # expect: DNN503
    if (i + 1) % args.accum == 0:
        optimizer.step()

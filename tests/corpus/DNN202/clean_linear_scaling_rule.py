# The learning rate is multiplied by the effective batch size; the loss is divided.
import argparse

import torch
from torch import nn

p = argparse.ArgumentParser()
p.add_argument("--blr", type=float, default=1e-3)
p.add_argument("--batch-size", type=int, default=64)
p.add_argument("--accum-iter", type=int, default=4)
args = p.parse_args()
effective = args.batch_size * args.accum_iter
lr = args.blr * effective / 256

from corals import ReefNet, loader  # noqa: E402

model = ReefNet()
opt = torch.optim.SGD(model.parameters(), lr=lr)
for i, (x, y) in enumerate(loader(args.batch_size)):
    loss = nn.functional.cross_entropy(model(x), y)
    loss = loss / args.accum_iter
    loss.backward()
    if (i + 1) % args.accum_iter == 0:
        opt.step()
        opt.zero_grad()

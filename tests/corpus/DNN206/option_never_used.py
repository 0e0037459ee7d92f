# --grad-accum is parsed and nothing reads it.
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=1e-3)
parser.add_argument("--grad-accum", type=int, default=4, help="micro-batches per step")  # expect: DNN206
parser.add_argument("--epochs", type=int, default=3)
args = parser.parse_args()

from parcels import ParcelNet, loader  # noqa: E402

model = ParcelNet()
opt = torch.optim.SGD(model.parameters(), lr=args.lr)
for epoch in range(args.epochs):
    for x, y in loader():
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()

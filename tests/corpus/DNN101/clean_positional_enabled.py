# enabled by position; scaler and context share the switch.
import argparse

import torch
from torch.cuda.amp import GradScaler, autocast

parser = argparse.ArgumentParser()
parser.add_argument("--no-half", action="store_true")
args = parser.parse_args()
half = not args.no_half

from lenses import LensNet, loader  # noqa: E402

net = LensNet().cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
scaler = GradScaler(enabled=half)
for x, y in loader():
    with autocast(half):
        loss = torch.nn.functional.mse_loss(net(x.cuda()), y.cuda())
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()

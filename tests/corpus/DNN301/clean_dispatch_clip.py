# timm's dispatcher behind an option.
import argparse

import torch
from timm.utils import dispatch_clip_grad

ap = argparse.ArgumentParser()
ap.add_argument("--clip-grad", type=float, default=None)
ap.add_argument("--clip-mode", default="norm")
args = ap.parse_args()

from kelp import KelpNet, loader  # noqa: E402

net = KelpNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader():
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    if args.clip_grad is not None:
        dispatch_clip_grad(net.parameters(), value=args.clip_grad, mode=args.clip_mode)
    opt.step()

# The loss is multiplied by one over the window, in a scaler call.
import argparse

import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--accum", type=int, default=4)
args = ap.parse_args()
weight = 1.0 / args.accum

from roads import LaneNet, loader  # noqa: E402

net = LaneNet().cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cuda")
for i, (road, lane) in enumerate(loader()):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = nn.functional.cross_entropy(net(road.cuda()), lane.cuda())
    scaler.scale(loss * weight).backward()
    if (i + 1) % args.accum == 0:
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()

# The dtype comes from a file: float16 is not shown by the program.
import json
import sys

import torch

with open(sys.argv[1]) as handle:
    config = json.load(handle)

from lenses import LensNet, loader  # noqa: E402

net = LensNet().cuda()
opt = torch.optim.Adam(net.parameters(), lr=config["lr"])
for x, y in loader():
    with torch.autocast("cuda", dtype=getattr(torch, config["dtype"])):
        loss = torch.nn.functional.mse_loss(net(x.cuda()), y.cuda())
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()

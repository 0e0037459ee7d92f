# The context is a variable; the backward is indented into it.
import argparse
from contextlib import nullcontext

import torch

ap = argparse.ArgumentParser()
ap.add_argument("--no-amp", dest="amp", action="store_false")
opts = ap.parse_args()
ctx = torch.autocast("cuda", dtype=torch.bfloat16) if opts.amp else nullcontext()

from faces import ArcNet, crops  # noqa: E402

net = ArcNet(512).cuda()
sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for crop, identity in crops():
    sgd.zero_grad()
    with ctx:
        loss = net(crop.cuda(), identity.cuda())
        loss.backward()  # expect: DNN106
    sgd.step()

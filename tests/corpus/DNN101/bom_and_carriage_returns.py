# A file with a byte-order mark and carriage returns, written on another system.
import torch
from torch import nn

from lenses import LensNet, loader

net = LensNet().cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(5):
    for x, y in loader():
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.l1_loss(net(x.cuda()), y.cuda())
        loss.backward()  # expect: DNN101
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()

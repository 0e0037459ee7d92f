# A booster of a library owns the backward.
import torch
from colossalai.booster import Booster

from kelp import KelpNet, loader

booster = Booster(mixed_precision="fp16")
net = KelpNet().cuda()
opt = torch.optim.Adam(net.parameters())
net, opt, *_ = booster.boost(net, opt)
for x in loader():
    with torch.autocast("cuda", dtype=torch.float16):
        loss = net(x.cuda()).mean()
    booster.backward(loss, opt)
    opt.step()
    opt.zero_grad()

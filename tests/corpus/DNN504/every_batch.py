# After each batch of a script.
import torch
from torch import nn

from rugs import RugNet, loader

net = RugNet().cuda()
opt = torch.optim.Adam(net.parameters())
for x, y in loader():
    opt.zero_grad()
    nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
    opt.step()
    torch.cuda.empty_cache()  # expect: DNN504

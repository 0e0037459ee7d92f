# A load function of another file.
import torch

from project.io import load
from kelp import KelpNet, loader

net = KelpNet().cuda()
net.load_state_dict(load("net.pt"))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader():
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(x.cuda()), y.cuda()).backward()
    opt.step()

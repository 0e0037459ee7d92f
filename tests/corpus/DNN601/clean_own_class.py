# A class of the project with the same name.
import torch

from project.parallel import DataParallel
from project.nets import Net

net = DataParallel(Net(), mesh=(2, 4))
opt = torch.optim.Adam(net.parameters())
for _ in range(100):
    opt.zero_grad()
    net(torch.randn(8, 16)).mean().backward()
    opt.step()

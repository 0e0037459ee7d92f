# One pass over the data.
import torch
from torch.utils.data import DataLoader

from owls import OwlNet, OwlSet

loader = DataLoader(OwlSet(), 16, shuffle=True, num_workers=8)
net = OwlNet()
opt = torch.optim.Adam(net.parameters())
for step, x in enumerate(loader):
    opt.zero_grad()
    net(x).backward()
    opt.step()

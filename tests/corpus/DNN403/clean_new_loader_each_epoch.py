# A new loader for each epoch: there is nothing to keep.
import torch
from torch.utils.data import DataLoader

from owls import OwlNet, OwlSet

net = OwlNet()
opt = torch.optim.Adam(net.parameters())
for epoch in range(10):
    resolution = 64 + 16 * epoch
    for x in DataLoader(OwlSet(resolution), 16, shuffle=True, num_workers=8):
        opt.zero_grad()
        net(x).backward()
        opt.step()

# Without workers there is nothing to restart (and persistent_workers would raise).
import torch
from torch.utils.data import DataLoader

from owls import OwlNet, OwlSet

loader = DataLoader(OwlSet(), 16, shuffle=True, num_workers=0)
net = OwlNet()
opt = torch.optim.Adam(net.parameters())
for epoch in range(10):
    for x in loader:
        opt.zero_grad()
        net(x).backward()
        opt.step()

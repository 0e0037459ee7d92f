# persistent_workers=True.
import torch
from torch.utils.data import DataLoader

from owls import OwlNet, OwlSet

loader = DataLoader(OwlSet(), 16, shuffle=True, num_workers=8, persistent_workers=True)
net = OwlNet()
opt = torch.optim.Adam(net.parameters())
for epoch in range(10):
    for x in loader:
        opt.zero_grad()
        net(x).backward()
        opt.step()

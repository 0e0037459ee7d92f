# One epoch.
import torch
from torch.utils.data import DataLoader

from kelp import KelpNet, KelpSet

EPOCHS = 1
loader = DataLoader(KelpSet("train"), 16, shuffle=True, num_workers=8)
net = KelpNet()
opt = torch.optim.Adam(net.parameters())
for epoch in range(EPOCHS):
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()

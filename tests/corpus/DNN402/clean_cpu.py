# A CPU script.
import torch
from torch.utils.data import DataLoader

from eels import EelNet, EelSet

loader = DataLoader(EelSet(), 8, shuffle=True, num_workers=8)
net = EelNet()
opt = torch.optim.Adam(net.parameters())
for x in loader:
    opt.zero_grad()
    net(x).backward()
    opt.step()

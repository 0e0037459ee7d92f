# Pinned.
import torch
from torch.utils.data import DataLoader

from eels import EelNet, EelSet

loader = DataLoader(EelSet(), 8, shuffle=True, num_workers=8, pin_memory=True)
net = EelNet().cuda()
opt = torch.optim.Adam(net.parameters())
for x in loader:
    opt.zero_grad()
    net(x.cuda(non_blocking=True)).backward()
    opt.step()

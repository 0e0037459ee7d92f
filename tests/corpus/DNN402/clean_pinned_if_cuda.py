# Pinned where there is a GPU.
import torch
from torch.utils.data import DataLoader

from eels import EelNet, EelSet

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
loader = DataLoader(EelSet(), 8, shuffle=True, num_workers=8, pin_memory=use_cuda)
net = EelNet().to(device)
opt = torch.optim.Adam(net.parameters())
for x in loader:
    opt.zero_grad()
    net(x.to(device)).backward()
    opt.step()

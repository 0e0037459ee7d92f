# Apple GPU: memory is shared, pinning does nothing.
import torch
from torch.utils.data import DataLoader

from eels import EelNet, EelSet

device = torch.device("mps")
loader = DataLoader(EelSet(), 8, shuffle=True, num_workers=8)
net = EelNet().to(device)
opt = torch.optim.Adam(net.parameters())
for x in loader:
    opt.zero_grad()
    net(x.to(device)).backward()
    opt.step()

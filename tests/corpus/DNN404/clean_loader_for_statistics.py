# The loader that is not shuffled computes the statistics of the inputs.
import torch
from torch.utils.data import DataLoader

from kelp import KelpNet, KelpSet

data = KelpSet("train")
ordered = DataLoader(data, 256, num_workers=8)
total = sum(x.sum() for x, _ in ordered)
mean = total / len(data)
loader = DataLoader(data, 32, shuffle=True, num_workers=8)
net = KelpNet()
opt = torch.optim.Adam(net.parameters())
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x - mean), y).backward()
    opt.step()

# The lower end of the range.
import torch
from torch.utils.data import DataLoader

from cars import CarNet, CarSet

loader = DataLoader(CarSet(), batch_size=64, shuffle=True, num_workers=8)
net = CarNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()

# shuffle=True, also positional.
import torch
from torch.utils.data import DataLoader

from eggs import EggNet, EggSet

a = DataLoader(EggSet("a"), batch_size=32, shuffle=True, num_workers=8)
b = DataLoader(EggSet("b"), 32, True, num_workers=8)
net = EggNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for loader in (a, b):
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        opt.step()

# A sampler decides the order; shuffle=False beside it.
import torch
from torch.utils.data import DataLoader, WeightedRandomSampler

from eggs import EggNet, EggSet

data = EggSet("train")
sampler = WeightedRandomSampler(data.weights, num_samples=len(data))
loader = DataLoader(data, batch_size=32, shuffle=False, sampler=sampler, num_workers=8)
net = EggNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()

# shuffle is not given for the training loader.
import torch
from torch.utils.data import DataLoader

from eggs import EggNet, EggSet

loader = DataLoader(EggSet("train"), batch_size=32, num_workers=8)  # expect: DNN404
net = EggNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        opt.step()

# Only the evaluation loader is not shuffled.
import torch
from torch.utils.data import DataLoader

from eggs import EggNet, EggSet

train_loader = DataLoader(EggSet("train"), 32, shuffle=True, num_workers=8)
test_loader = DataLoader(EggSet("test"), 32, shuffle=False, num_workers=8)
net = EggNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(5):
    net.train()
    for x, y in train_loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        print(sum((net(x).argmax(1) == y).sum().item() for x, y in test_loader))

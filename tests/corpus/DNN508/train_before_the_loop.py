# The network is in evaluation mode from the second epoch on.
import torch
from torch import nn

from mugs import MugNet, train_loader, val_loader

net = MugNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net.train()  # expect: DNN508
for epoch in range(10):
    for x, y in train_loader():
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
    net.eval()  # or: DNN508
    with torch.no_grad():
        print(epoch, sum(nn.functional.cross_entropy(net(x), y).item() for x, y in val_loader()))

# A class named DataLoader of the project.
import torch

from project.loading import DataLoader
from project.nets import Net

loader = DataLoader("train.bin", batch_size=16)
net = Net()
opt = torch.optim.Adam(net.parameters())
for tokens in loader:
    opt.zero_grad()
    net(tokens).backward()
    opt.step()

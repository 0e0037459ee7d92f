# One backward for each graph.
import torch
from torch import nn

from caps import CapNet, loader

net = CapNet()
opt = torch.optim.Adam(net.parameters())
for x, y in loader():
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward(retain_graph=True)  # expect: DNN505
    opt.step()

# A CPU script.
import os

import torch

from coasts import CoastNet, loader

net = CoastNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
if os.path.exists("net.pt"):
    net.load_state_dict(torch.load("net.pt", weights_only=True))
for x in loader():
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
torch.save(net.state_dict(), "net.pt")

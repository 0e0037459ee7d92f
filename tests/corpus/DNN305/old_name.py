# clip_grad_norm without the underscore.
import torch
from torch import nn

net = nn.RNN(10, 20)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(100):
    x = torch.randn(35, 16, 10)
    opt.zero_grad()
    net(x)[0].pow(2).mean().backward()
    torch.nn.utils.clip_grad_norm(net.parameters(), 0.25)  # expect: DNN305
    opt.step()

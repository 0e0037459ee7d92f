# What is clamped are activations and the loss.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(8, 8)

    def forward(self, x):
        return self.f(x).clamp(-10, 10)


net = Net()
opt = torch.optim.Adam(net.parameters())
for _ in range(1000):
    x = torch.randn(32, 8)
    loss = (net(x) - x).pow(2).mean().clamp(max=100)
    opt.zero_grad()
    loss.backward()
    opt.step()  # expect: DNN301

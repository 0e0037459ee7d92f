# Only the forward of the module is decorated.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(100, 400)
        self.b = nn.Linear(400, 100)

    @torch.autocast("cuda", dtype=torch.bfloat16)
    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


net = Net().cuda()
opt = torch.optim.Adam(net.parameters())
for _ in range(1000):
    x = torch.randn(64, 100, device="cuda")
    loss = (net(x) - x).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

# full backward hooks limit the gradients of a module.
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2)
        for p in self.parameters():
            p.register_post_accumulate_grad_hook(lambda q: q.grad.clamp_(-1.0, 1.0))

    def forward(self, x):
        return self.net(x)


policy = Policy()
opt = torch.optim.Adam(policy.parameters())
for _ in range(100):
    opt.zero_grad()
    policy(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()

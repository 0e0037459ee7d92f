# The network upcasts inside; the loop has bfloat16.
import torch
from torch import nn


class StableNorm(nn.Module):
    def forward(self, x):
        with torch.autocast(device_type="cuda", enabled=False):
            return nn.functional.normalize(x.float(), dim=-1)


def fit(net, loader, steps):
    opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
    norm = StableNorm()
    ctx = torch.autocast("cuda", dtype=torch.bfloat16)
    for _, (x, y) in zip(range(steps), loader):
        with ctx:
            loss = (norm(net(x.cuda())) - norm(y.cuda())).pow(2).sum(-1).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()

# The list of skips lives for one forward.
import torch
from torch import nn


class UNet(nn.Module):
    def __init__(self, downs, ups):
        super().__init__()
        self.downs = nn.ModuleList(downs)
        self.ups = nn.ModuleList(ups)

    def forward(self, x):
        skips = []
        for down in self.downs:
            x = down(x)
            skips.append(x)
        for up in self.ups:
            x = up(torch.cat([x, skips.pop()], dim=1))
        return x


def train(net, loader):
    opt = torch.optim.Adam(net.parameters())
    for x, y in loader:
        opt.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()

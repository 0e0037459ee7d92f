# A region with autocast switched off is no autocast.
import torch
from torch import nn


def train(sde, loader):
    opt = torch.optim.Adam(sde.parameters(), lr=1e-3)
    for x in loader:
        opt.zero_grad()
        with torch.autocast("cuda", enabled=False):
            loss = sde.nll(x.cuda().double()).mean()
            loss.backward()
        nn.utils.clip_grad_norm_(sde.parameters(), 1.0)
        opt.step()

# The clip is bound with functools.partial and stored as an attribute.
import functools

import torch


class Run:
    def __init__(self, net, limit=1.0):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())
        self.limit_gradients = functools.partial(torch.nn.utils.clip_grad_norm_, max_norm=limit)

    def fit(self, loader):
        for x in loader:
            self.opt.zero_grad()
            self.net(x).mean().backward()
            self.limit_gradients(self.net.parameters())
            self.opt.step()

# A context manager of this file yields inside float16 autocast.
from contextlib import contextmanager

import torch


@contextmanager
def mixed(on=True):
    with torch.autocast("cuda", dtype=torch.float16, enabled=on):
        yield


class Fit:
    def __init__(self, net):
        self.net = net.cuda()
        self.opt = torch.optim.AdamW(net.parameters(), lr=1e-4)

    def __call__(self, loader):
        for x, y in loader:
            with mixed():
                out = self.net(x.cuda())
                loss = (out - y.cuda()).abs().mean()
            self.opt.zero_grad()
            loss.backward()  # expect: DNN101
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.opt.step()

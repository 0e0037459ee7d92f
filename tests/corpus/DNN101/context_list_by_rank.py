# Contexts in a dictionary chosen by a mode string of the constructor.
import contextlib

import torch
from torch import nn


class Stage:
    def __init__(self, net, precision="half"):
        self.net = net.cuda()
        self.contexts = {
            "full": contextlib.nullcontext(),
            "half": torch.autocast("cuda", dtype=torch.float16),
        }
        self.context = self.contexts[precision]
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def fit(self, loader):
        for x, y in loader:
            self.opt.zero_grad()
            with self.context:
                loss = nn.functional.cross_entropy(self.net(x.cuda()), y.cuda())
            loss.backward()  # expect: DNN101
            nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.opt.step()


if __name__ == "__main__":
    from kelp import KelpNet, loader

    Stage(KelpNet()).fit(loader())

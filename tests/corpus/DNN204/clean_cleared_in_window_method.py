# The method that ends the window clears.
import torch


class Run:
    def __init__(self, net, n=4):
        self.net, self.n = net, n
        self.opt = torch.optim.AdamW(net.parameters())

    def begin(self):
        self.opt.zero_grad(set_to_none=True)

    def end(self):
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.begin()

    def fit(self, loader):
        self.begin()
        for i, x in enumerate(loader):
            (self.net(x).mean() / self.n).backward()
            if (i + 1) % self.n == 0:
                self.end()

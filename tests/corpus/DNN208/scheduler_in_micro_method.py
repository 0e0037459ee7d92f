# The micro-batch method steps the scheduler, the window method the optimizer.
import torch


class Run:
    def __init__(self, net, loader, n=4, epochs=3):
        self.net, self.loader, self.n = net, loader, n
        self.opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
        self.sched = torch.optim.lr_scheduler.LinearLR(self.opt, 1.0, 0.0, total_iters=epochs * len(loader) // n)

    def micro(self, x):
        (self.net(x).mean() / self.n).backward()
        self.sched.step()  # expect: DNN208

    def fit(self):
        for i, x in enumerate(self.loader):
            self.micro(x)

            if (i + 1) % self.n == 0:
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.opt.step()
                self.opt.zero_grad()

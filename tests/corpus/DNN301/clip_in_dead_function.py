# The clipping function is never called.
import torch


class Run:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.RMSprop(net.parameters())

    def clip_gradients(self):
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)

    def fit(self, loader):
        for x, y in loader:
            self.opt.zero_grad()
            loss = torch.nn.functional.mse_loss(self.net(x), y)
            loss.backward()
            self.opt.step()  # expect: DNN301


if __name__ == "__main__":
    from kelp import KelpNet, loader

    Run(KelpNet()).fit(loader())

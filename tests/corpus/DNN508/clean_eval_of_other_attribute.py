# Only the loss network is in evaluation mode.
import torch


class Run:
    def __init__(self, net, perceptual):
        self.net = net
        self.perceptual = perceptual.requires_grad_(False)
        self.opt = torch.optim.Adam(net.parameters())

    def fit(self, loader, epochs):
        self.net.train()
        for _ in range(epochs):
            self.perceptual.eval()
            for x, y in loader:
                self.opt.zero_grad()
                out = self.net(x)
                (self.perceptual(out) - self.perceptual(y)).abs().mean().backward()
                self.opt.step()

# An exponential mean of the loss: each value holds the graph of the one before.
import torch


class Smoothed:
    def __init__(self, net, decay=0.98):
        self.net = net
        self.decay = decay
        self.smooth = 0.0
        self.opt = torch.optim.SGD(net.parameters(), lr=0.01)

    def run(self, loader):
        for step, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(self.net(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.smooth = self.decay * self.smooth + (1 - self.decay) * loss  # expect: DNN501
            if step % 100 == 0:
                print(step, float(self.smooth))

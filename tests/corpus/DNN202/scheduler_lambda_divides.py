# The rate is divided when the groups are made, the loss in the method.
import torch


class Run:
    def __init__(self, net, lr=0.4, accumulate=4):
        self.net = net
        self.accumulate = accumulate
        lr = lr / accumulate
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)  # or: DNN202

    def micro(self, x, y):
        loss = torch.nn.functional.cross_entropy(self.net(x), y)
        loss = loss / self.accumulate
        loss.backward()  # expect: DNN202

    def fit(self, loader):
        for i, (x, y) in enumerate(loader, 1):
            self.micro(x, y)
            if i % self.accumulate == 0:
                self.opt.step()
                self.opt.zero_grad()

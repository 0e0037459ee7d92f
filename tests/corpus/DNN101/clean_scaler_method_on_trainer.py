# The trainer's method backward() scales.
import torch


class Base:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cuda")

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def step(self):
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()


class Run(Base):
    def fit(self, loader):
        for x in loader:
            with torch.autocast("cuda", dtype=torch.float16):
                loss = self.net(x.cuda()).mean()
            self.backward(loss)
            self.step()

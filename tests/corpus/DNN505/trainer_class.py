# In a trainer class.
import torch


class Trainer:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def step(self, batch):
        self.opt.zero_grad()
        loss = self.net(batch).mean()
        loss.backward(retain_graph=True)  # expect: DNN505
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()

    def fit(self, loader):
        for batch in loader:
            self.step(batch)

# Trainer class: the micro step clips, the update does not.
import torch


class Trainer:
    def __init__(self, net, accum=4):
        self.net, self.accum, self.n = net, accum, 0
        self.opt = torch.optim.Adam(net.parameters())

    def micro_step(self, batch):
        loss = self.net(batch) / self.accum
        loss.backward()
        torch.nn.utils.clip_grad_value_(self.net.parameters(), 0.1)  # expect: DNN303
        self.n += 1

    def fit(self, loader):
        for batch in loader:
            self.micro_step(batch)
            if self.n % self.accum == 0:
                self.opt.step()
                self.opt.zero_grad()

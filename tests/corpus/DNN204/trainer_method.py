# Trainer class: the method for a micro-batch clears first.
import torch


class Trainer:
    def __init__(self, net, accum=16):
        self.net = net
        self.accum = accum
        self.opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
        self.count = 0

    def micro(self, batch):
        self.opt.zero_grad()  # expect: DNN204
        loss = self.net(batch) / self.accum
        loss.backward()
        self.count += 1
        return loss.item()

    def fit(self, loader):
        for batch in loader:
            self.micro(batch.cuda())
            if self.count % self.accum == 0:
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.opt.step()

# The method with the block returns the loss; the caller runs backward outside.
import torch


class Learner:
    def __init__(self, net, opt):
        self.net, self.opt = net, opt

    def loss(self, batch):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return self.net(batch).logsumexp(-1).mean()

    def update(self, batch):
        loss = self.loss(batch)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()

    def run(self, loader):
        for batch in loader:
            self.update(batch.cuda())

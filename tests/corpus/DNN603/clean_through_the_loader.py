# Called through loader.sampler in a trainer class.
import torch
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, net, data):
        self.net = torch.nn.parallel.DistributedDataParallel(net)
        self.loader = DataLoader(data, 16, sampler=DistributedSampler(data), num_workers=8)
        self.opt = torch.optim.Adam(self.net.parameters())

    def run_epoch(self, epoch):
        self.loader.sampler.set_epoch(epoch)
        for x in self.loader:
            self.opt.zero_grad()
            self.net(x).mean().backward()
            self.opt.step()

    def fit(self, epochs):
        for epoch in range(epochs):
            self.run_epoch(epoch)

# An infinite sampler of this file has no epochs; each rank draws its own part of one endless order.
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Sampler


class Endless(Sampler):
    def __init__(self, size, seed=0):
        self.size, self.seed = size, seed

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        rank, world = dist.get_rank(), dist.get_world_size()
        n = 0
        while True:
            for index in torch.randperm(self.size, generator=g).tolist():
                if n % world == rank:
                    yield index
                n += 1


def train(net, data, steps):
    net = torch.nn.parallel.DistributedDataParallel(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    stream = iter(DataLoader(data, 8, sampler=Endless(len(data)), num_workers=8))
    for epoch in range(10):
        for _ in range(steps):
            opt.zero_grad()
            net(next(stream)).mean().backward()
            opt.step()

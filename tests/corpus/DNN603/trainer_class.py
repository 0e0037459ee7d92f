# Trainer class with the sampler inside the loader.
import torch
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, net, dataset, rank, epochs=50):
        self.rank, self.epochs = rank, epochs
        self.net = DDP(net.to(rank), device_ids=[rank])
        self.loader = DataLoader(dataset, 64, sampler=DistributedSampler(dataset), num_workers=8)  # or: DNN603
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def train_epoch(self):
        for x, y in self.loader:
            self.opt.zero_grad()
            torch.nn.functional.mse_loss(self.net(x.to(self.rank)), y.to(self.rank)).backward()
            self.opt.step()

    def fit(self):
        for _ in range(self.epochs):  # expect: DNN603
            self.train_epoch()

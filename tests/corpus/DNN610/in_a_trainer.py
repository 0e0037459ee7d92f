import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.body(x)


class Trainer:
    def __init__(self, rank):
        self.rank = rank
        self.model = torch.nn.parallel.DistributedDataParallel(Net().to(rank), device_ids=[rank])  # expect: DNN610
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def step(self, x, y):
        self.opt.zero_grad()
        nn.functional.cross_entropy(self.model(x.to(self.rank)), y.to(self.rank)).backward()
        self.opt.step()

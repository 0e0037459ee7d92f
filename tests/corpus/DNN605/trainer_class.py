import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.body(x)


class Trainer:
    def __init__(self, loader, local_rank):
        self.loader = loader
        self.local_rank = local_rank
        self.model = DDP(Net().to(local_rank), device_ids=[local_rank])
        self.opt = torch.optim.AdamW(self.model.parameters())

    def step(self, x, y):
        self.opt.zero_grad()
        nn.functional.cross_entropy(self.model(x), y).backward()
        self.opt.step()

    def save(self, epoch):
        torch.save({"model": self.model.module.state_dict(), "epoch": epoch}, "snapshot.pt")  # expect: DNN605

    def fit(self, epochs):
        for epoch in range(epochs):
            for x, y in self.loader:
                self.step(x, y)
            self.save(epoch)


def main(loader):
    dist.init_process_group("nccl")
    trainer = Trainer(loader, int(os.environ["LOCAL_RANK"]))
    trainer.fit(10)

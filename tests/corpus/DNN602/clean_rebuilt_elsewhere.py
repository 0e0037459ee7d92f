import os

import torch
import torch.distributed as dist
from project.comm import distribute
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.body(x)


def train_epoch(model, loader, opt, device):
    model.train()
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        opt.step()


def main():
    dist.init_process_group("nccl")
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    model = DDP(Net().cuda(), device_ids=[local])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    data = CIFAR10("data", train=True)
    loader = DataLoader(data, batch_size=64, shuffle=True)
    loader = distribute(loader)
    for epoch in range(10):
        train_epoch(model, loader, opt, local)
    dist.destroy_process_group()

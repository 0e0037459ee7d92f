import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.body(x)


class Shards(torch.utils.data.Dataset):
    def __init__(self, rank, world_size):
        self.rows = torch.load("train.bin")[rank::world_size]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index], 0


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
    loader = DataLoader(Shards(dist.get_rank(), dist.get_world_size()), batch_size=32, shuffle=True)
    for epoch in range(10):
        train_epoch(model, loader, opt, local)
    dist.destroy_process_group()

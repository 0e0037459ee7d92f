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


def rank_zero_only(function):
    def wrapper(*args, **kwargs):
        if dist.get_rank() == 0:
            return function(*args, **kwargs)
        return None

    return wrapper


@rank_zero_only
def write(state, path):
    torch.save(state, path)


def train_epoch(model, loader, opt, device):
    model.train()
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        opt.step()


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    model = DDP(Net().to(local_rank), device_ids=[local_rank])
    opt = torch.optim.AdamW(model.parameters())
    loader = build_loader()
    for epoch in range(20):
        train_epoch(model, loader, opt, local_rank)
        write({"model": model.state_dict()}, "last.pt")
    dist.destroy_process_group()

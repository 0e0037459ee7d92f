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


def get_rank():
    return dist.get_rank() if dist.is_available() and dist.is_initialized() else 0


def save_on_master(*args, **kwargs):
    if get_rank() == 0:
        torch.save(*args, **kwargs)


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
        save_on_master({"model": model.module.state_dict(), "opt": opt.state_dict()}, f"{epoch}.pth")
    dist.destroy_process_group()

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


def train_epoch(model, loader, opt, device):
    model.train()
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        opt.step()


def main(local_rank):
    dist.init_process_group("nccl")
    model = DDP(Net().to(local_rank), device_ids=[local_rank], gradient_as_bucket_view=False)  # expect: DNN610
    opt = torch.optim.AdamW(model.parameters())
    for epoch in range(10):
        train_epoch(model, build_loader(), opt, local_rank)
    dist.destroy_process_group()

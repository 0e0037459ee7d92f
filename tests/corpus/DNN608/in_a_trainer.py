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
    def __init__(self):
        dist.init_process_group("nccl")  # expect: DNN608
        self.rank = dist.get_rank()
        self.model = DDP(Net().to(self.rank), device_ids=[self.rank])

    def fit(self):
        return self.model(torch.randn(4, 32, device=self.rank))


if __name__ == "__main__":
    Trainer().fit()

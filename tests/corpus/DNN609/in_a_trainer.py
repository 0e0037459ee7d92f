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
        dist.init_process_group("nccl")
        self.net = Net()
        self.net.cuda()
        self.model = DDP(self.net)  # expect: DNN609
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def step(self, x, y):
        self.opt.zero_grad()
        nn.functional.cross_entropy(self.model(x.cuda()), y.cuda()).backward()
        self.opt.step()

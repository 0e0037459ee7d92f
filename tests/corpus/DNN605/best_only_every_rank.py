import argparse

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


dist.init_process_group("gloo")
parser = argparse.ArgumentParser()
parser.add_argument("--out", default="best.pt")
args = parser.parse_args()
model = DDP(Net())
opt = torch.optim.SGD(model.parameters(), lr=0.01)
best = float("inf")
for epoch in range(30):
    for x, y in batches(epoch):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
    if loss.item() < best:
        best = loss.item()
        torch.save(model.module.state_dict(), args.out)  # expect: DNN605

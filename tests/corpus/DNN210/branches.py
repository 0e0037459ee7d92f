import torch
from torch.nn.parallel import DistributedDataParallel


def train(rank, loader, accum_steps=4):
    net = DistributedDataParallel(torch.nn.Linear(8, 8).to(rank), device_ids=[rank])
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for i, x in enumerate(loader, start=1):
        if (i + 1) % accum_steps != 0:
            with net.no_sync():  # expect: DNN210
                (net(x).pow(2).mean() / accum_steps).backward()
        else:
            (net(x).pow(2).mean() / accum_steps).backward()
        if i % accum_steps == 0:
            opt.step()
            opt.zero_grad()

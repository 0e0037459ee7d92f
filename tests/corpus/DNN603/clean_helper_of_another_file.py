# A helper of another file gets the loader and the epoch.
import torch
from torch.utils.data import DataLoader, DistributedSampler

from project.dist import prepare_epoch


def train(net, data, epochs):
    loader = DataLoader(data, 8, sampler=DistributedSampler(data), num_workers=8)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        prepare_epoch(loader, epoch)
        for x in loader:
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()

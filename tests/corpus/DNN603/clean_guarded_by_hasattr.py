# Called when the sampler has it.
import torch
from torch.utils.data import DataLoader, DistributedSampler


def train_one_epoch(net, loader, opt, epoch):
    if isinstance(loader.sampler, DistributedSampler):
        loader.sampler.set_epoch(epoch)
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()


def main(net, data, epochs=5):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = DataLoader(data, 8, sampler=DistributedSampler(data), num_workers=8)
    for epoch in range(epochs):
        train_one_epoch(net, loader, opt, epoch)

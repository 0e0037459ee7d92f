# Called through the batch sampler.
import torch
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


def train(net, data, epochs):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_sampler=BatchSampler(sampler, 8, drop_last=True), num_workers=8)
    opt = torch.optim.Adam(net.parameters())
    for epoch in range(epochs):
        loader.batch_sampler.sampler.set_epoch(epoch)
        for x in loader:
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()

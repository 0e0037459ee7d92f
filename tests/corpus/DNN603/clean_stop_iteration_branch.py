# Called when the iterator is exhausted.
import torch
from torch.utils.data import DataLoader, DistributedSampler


def train(net, data, steps):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, 8, sampler=sampler, num_workers=8)
    opt = torch.optim.AdamW(net.parameters())
    epoch, stream = 0, iter(loader)
    for _ in range(steps):
        try:
            x = next(stream)
        except StopIteration:
            epoch += 1
            sampler.set_epoch(epoch)
            stream = iter(loader)
            x = next(stream)
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()

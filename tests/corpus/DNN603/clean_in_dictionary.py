# The samplers are in a dictionary.
import torch
from torch.utils.data import DataLoader, DistributedSampler


def train(net, sets, epochs):
    samplers = {name: DistributedSampler(data, shuffle=name == "train") for name, data in sets.items()}
    loaders = {name: DataLoader(data, 8, sampler=samplers[name], num_workers=8) for name, data in sets.items()}
    opt = torch.optim.Adam(net.parameters())
    for epoch in range(epochs):
        samplers["train"].set_epoch(epoch)
        for x in loaders["train"]:
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()

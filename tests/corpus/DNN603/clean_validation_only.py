# The distributed sampler is that of the validation, without shuffling.
import torch
from torch.utils.data import DataLoader, DistributedSampler


def fit(net, stream, val_set, epochs, steps):
    val_loader = DataLoader(val_set, 64, sampler=DistributedSampler(val_set, shuffle=False), num_workers=8)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        net.train()
        for _ in range(steps):
            opt.zero_grad()
            net(next(stream)).mean().backward()
            opt.step()
        net.eval()
        with torch.no_grad():
            print(epoch, sum(net(x).mean().item() for x in val_loader))

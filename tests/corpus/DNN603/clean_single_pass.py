# One pass over the data.
import torch
from torch.utils.data import DataLoader, DistributedSampler


def finetune(net, data):
    net = torch.nn.parallel.DistributedDataParallel(net)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-5)
    for x in DataLoader(data, 8, sampler=DistributedSampler(data), num_workers=8):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()

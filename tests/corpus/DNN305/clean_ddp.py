# DDP keeps whole parameters: the plain function is right.
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, rank, loader):
    model = DDP(net.to(rank), device_ids=[rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        opt.zero_grad()
        model(batch.to(rank)).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()

# The rate of each SGD group is divided after construction.
import torch


def train(net, loader, n=4):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for group in opt.param_groups:
        group["lr"] /= n
    for i, x in enumerate(loader):
        net(x).mean().backward()
        if (i + 1) % n == 0:
            opt.step()
            opt.zero_grad()

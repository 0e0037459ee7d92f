# Cleared by a foreach function over the gradients.
import torch


def train(net, loader):
    params = list(net.parameters())
    opt = torch.optim.SGD(params, lr=0.1)
    for x in loader:
        net(x).mean().backward()
        opt.step()
        torch._foreach_zero_([p.grad for p in params])

# The clip between two backwards limits the first term alone, before the second is added.
import torch


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        net.first(x).mean().backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.1)
        net.second(y).mean().backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()

# The list is made anew in each iteration.
import torch


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for views in loader:
        outs = []
        for v in views:
            outs.append(net(v))
        loss = torch.stack(outs).var(0).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()

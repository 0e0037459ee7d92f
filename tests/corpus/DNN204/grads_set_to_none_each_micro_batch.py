# Cleared by hand on every micro-batch.
import torch


def train(net, loader, every=4):
    params = [p for p in net.parameters() if p.requires_grad]
    opt = torch.optim.SGD(params, lr=0.1)
    for k, x in enumerate(loader, 1):
        for p in params:
            p.grad = None  # expect: DNN204
        (net(x).mean() / every).backward()
        if k % every == 0:
            opt.step()

# The context is entered by hand.
import torch
from torch import nn


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        half = torch.autocast("cuda", dtype=torch.float16)
        half.__enter__()
        loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
        half.__exit__(None, None, None)
        opt.zero_grad()
        loss.backward()  # expect: DNN101
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()

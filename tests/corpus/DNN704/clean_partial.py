# torch.load with a bound map_location.
from functools import partial

import torch

load = partial(torch.load, map_location=lambda storage, location: storage, weights_only=True)


def train(net, loader, path):
    net.load_state_dict(load(path)["net"])
    net.cuda()
    opt = torch.optim.Adam(net.parameters())
    for x in loader:
        opt.zero_grad()
        net(x.cuda()).mean().backward()
        opt.step()

import copy

import torch


def train(model, loader):
    for x, y in loader:
        model_i = copy.deepcopy(model)
        opt = torch.optim.Adam(model_i.parameters())
        model_i(x).mean().backward()
        opt.step()

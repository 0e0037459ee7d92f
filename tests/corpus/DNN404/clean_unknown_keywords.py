# The keywords come from the caller.
import torch
from torch.utils.data import DataLoader


def fit(net, dataset, **loader_options):
    opt = torch.optim.Adam(net.parameters())
    for batch in DataLoader(dataset, **loader_options):
        opt.zero_grad()
        net(batch).backward()
        opt.step()

# The loader is made in the header of the loop, with positional arguments.
import torch
from torch.utils.data import DataLoader


def fit(net, dataset, collate):
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for x in DataLoader(dataset, 16, True, None, None, 4, collate):  # expect: DNN401
        opt.zero_grad()
        net(x).mean().backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()

# Whether there are workers is not known.
import torch
from torch.utils.data import DataLoader


def fit(net, dataset, workers, epochs):
    loader = DataLoader(dataset, 16, shuffle=True, num_workers=workers)
    opt = torch.optim.Adam(net.parameters())
    for _ in range(epochs):
        for x in loader:
            opt.zero_grad()
            net(x).backward()
            opt.step()

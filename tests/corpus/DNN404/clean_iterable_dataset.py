# An iterable dataset has its own order; shuffle would raise.
import random

import torch
from torch.utils.data import DataLoader, IterableDataset


class Rows(IterableDataset):
    def __init__(self, paths):
        self.paths = paths

    def __iter__(self):
        paths = list(self.paths)
        random.shuffle(paths)
        for path in paths:
            yield from torch.load(path, map_location="cpu")


loader = DataLoader(Rows(["a.pt", "b.pt"]), batch_size=64, num_workers=8)
net = torch.nn.Linear(16, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for row in loader:
    opt.zero_grad()
    net(row).mean().backward()
    opt.step()

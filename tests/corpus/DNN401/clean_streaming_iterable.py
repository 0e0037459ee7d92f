# An iterable dataset that streams from a socket: workers would repeat it.
import socket

import torch
from torch.utils.data import DataLoader, IterableDataset


class Feed(IterableDataset):
    def __init__(self, host, port):
        self.address = (host, port)

    def __iter__(self):
        with socket.create_connection(self.address) as connection, connection.makefile() as lines:
            for line in lines:
                *features, target = map(float, line.split(","))
                yield torch.tensor(features), torch.tensor(target)


model = torch.nn.Linear(12, 1)
opt = torch.optim.SGD(model.parameters(), lr=1e-3)
for x, y in DataLoader(Feed("feed.local", 9999), batch_size=64):
    opt.zero_grad()
    torch.nn.functional.mse_loss(model(x).squeeze(1), y).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()

# Embeddings of the epoch are kept for a plot, on the GPU and with their graph.
from collections import defaultdict

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(100, 16)
        self.head = torch.nn.Linear(16, 4)

    def encode(self, x):
        return torch.relu(self.body(x))

    def loss(self, z, y):
        return torch.nn.functional.cross_entropy(self.head(z), y)


class Run:
    def __init__(self):
        self.net = Net().cuda()
        self.opt = torch.optim.Adam(self.net.parameters())
        self.embeddings = defaultdict(list)

    def fit(self, loader):
        for x, y in loader:
            z = self.net.encode(x.cuda())
            loss = self.net.loss(z, y.cuda())
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.embeddings["z"].append(z)  # expect: DNN501

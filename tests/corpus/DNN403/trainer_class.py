# Trainer class; persistent_workers=False spelled out.
import torch
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, net, data, epochs=30):
        self.net, self.epochs = net, epochs
        self.opt = torch.optim.Adam(net.parameters())
        self.loader = DataLoader(data, 16, True, num_workers=8, persistent_workers=False)  # expect: DNN403

    def fit(self):
        for _ in range(self.epochs):
            for x in self.loader:
                self.opt.zero_grad()
                self.net(x).backward()
                self.opt.step()

import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader

from base_data import AugmentedDataset


class SensorWindows(AugmentedDataset):
    def __getitem__(self, i):
        series, label = self.items[i]
        start = self.rng.integers(0, len(series) - 128)
        window = series[start : start + 128] * self.rng.normal(1.0, 0.1)
        return torch.tensor(window, dtype=torch.float32)[None], label


class SensorTrainer:
    def __init__(self, items):
        self.net = nn.Sequential(nn.Conv1d(1, 64, 9), nn.ReLU(), nn.Conv1d(64, 64, 9), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(64, 6)).cuda()
        self.opt = torch.optim.Adam(self.net.parameters(), 1e-3)
        self.loader = DataLoader(SensorWindows(items), 256, shuffle=True, num_workers=8)

    def fit(self, epochs=20):
        for epoch in range(epochs):
            for x, y in self.loader:
                self.opt.zero_grad()
                loss = F.cross_entropy(self.net(x.cuda()), y.cuda())
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.opt.step()
            print(epoch, loss.item())
        torch.save(self.net.state_dict(), "sensor.pt")


if __name__ == "__main__":
    pack = np.load(sys.argv[1], allow_pickle=True)
    SensorTrainer(list(zip(pack["series"], pack["label"]))).fit()

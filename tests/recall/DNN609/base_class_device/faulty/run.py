import os

import sys

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torch.utils.data import DistributedSampler

from base import DistributedTrainer


class CreditTable(Dataset):
    def __init__(self, csv_path):
        frame = pd.read_csv(csv_path)
        self.y = torch.tensor(frame.pop("default").values, dtype=torch.float32)
        self.x = torch.tensor(frame.values, dtype=torch.float32)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class RiskNet(nn.Module):
    def __init__(self, features, hidden=256):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(features, hidden), nn.ReLU(), nn.Dropout(0.1),
            nn.Linear(hidden, hidden), nn.ReLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.layers(x).squeeze(-1)


class Risk(DistributedTrainer):
    def loss(self, batch):
        x, y = batch
        return nn.functional.binary_cross_entropy_with_logits(self.model(x), y)


if __name__ == "__main__":
    table = CreditTable(sys.argv[1])
    trainer = Risk(RiskNet(table.x.shape[1]))  # or: DNN609
    print("pid", os.getpid())
    trainer.fit(DataLoader(table, 512, sampler=DistributedSampler(table), num_workers=8), 20)

import sys

import pandas as pd
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset

from base import BaseTrainer


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


class RiskTrainer(BaseTrainer):
    criterion = nn.BCEWithLogitsLoss()

    def configure_optimizer(self):
        return optim.AdamW(self.model.parameters(), lr=1e-3, weight_decay=1e-2)

    def loss(self, batch):
        x, y = batch
        return self.criterion(self.model(x.cuda()), y.cuda())


if __name__ == "__main__":
    table = CreditTable(sys.argv[1])
    RiskTrainer(RiskNet(table.x.shape[1])).fit(DataLoader(table, 512, shuffle=True, num_workers=8), 20)

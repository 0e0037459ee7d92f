import sys

import pandas as pd
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset

from base import Trainer


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


class RiskTrainer(Trainer):
    criterion = nn.BCEWithLogitsLoss()

    def loss(self, batch):
        x, y = batch
        return self.criterion(self.model(x.cuda()), y.cuda())

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        return sum(self.loss(b).item() for b in loader) / len(loader)


if __name__ == "__main__":
    data = CreditTable(sys.argv[1])
    parts = torch.utils.data.random_split(data, [0.9, 0.1])
    net = RiskNet(data.x.shape[1])
    loaders = [DataLoader(parts[0], 512, shuffle=True, num_workers=8), DataLoader(parts[1], 2048, num_workers=8)]
    RiskTrainer(net, optim.Adam(net.parameters(), 1e-3)).fit(*loaders, 30)

import lightning as L

import sys

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
import torch.nn.functional as F

from lit_base import BinaryModule


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


class LitRisk(BinaryModule):
    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.binary_cross_entropy_with_logits(self.net(x), y)
        self.log("loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("val_acc", ((self.predict(x) > 0.5).float() == y).float().mean(), prog_bar=True)


if __name__ == "__main__":
    table = CreditTable(sys.argv[1])
    parts = torch.utils.data.random_split(table, [0.9, 0.1])
    trainer = L.Trainer(max_epochs=20, gradient_clip_val=1.0, precision="bf16-mixed")
    trainer.fit(LitRisk(RiskNet(table.x.shape[1])), DataLoader(parts[0], 512, shuffle=True, num_workers=8), DataLoader(parts[1], 2048, num_workers=8))

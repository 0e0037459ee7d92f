import sys

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torch.utils.tensorboard import SummaryWriter

from engine import train_epoch


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


def main(path):
    table = CreditTable(path)
    model = RiskNet(table.x.shape[1]).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    scaler = torch.amp.GradScaler("cuda")
    loader = DataLoader(table, batch_size=4096, shuffle=True, num_workers=8)
    writer, step = SummaryWriter("runs/credit"), 0
    for epoch in range(15):
        avg, step = train_epoch(model, nn.BCEWithLogitsLoss(), loader, optimizer, scaler, writer, step)
        print(epoch, avg)
    torch.save(model.state_dict(), "credit.pt")


if __name__ == "__main__":
    main(sys.argv[1])

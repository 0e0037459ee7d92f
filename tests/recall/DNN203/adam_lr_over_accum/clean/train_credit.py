import sys

import pandas as pd
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset


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
def train(csv_path, epochs=20, base_lr=2e-3, accumulate=4):
    table = CreditTable(csv_path)
    net = RiskNet(table.x.shape[1]).cuda()
    optimizer = optim.Adam(net.parameters(), lr=base_lr)
    criterion = nn.BCEWithLogitsLoss()
    loader = DataLoader(table, batch_size=256, shuffle=True, num_workers=8)
    for epoch in range(epochs):
        net.train()
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader, start=1):
            loss = criterion(net(x.cuda()), y.cuda())
            (loss / accumulate).backward()
            if i % accumulate == 0 or i == len(loader):
                nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, loss.item())
    torch.save(net.state_dict(), "risk.pt")


if __name__ == "__main__":
    train(sys.argv[1])

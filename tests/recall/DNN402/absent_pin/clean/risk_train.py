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
def main(path):
    device = torch.device("cuda:0")
    table = CreditTable(path)
    net = RiskNet(table.x.shape[1], hidden=1024).to(device)
    loader = DataLoader(table, batch_size=8192, shuffle=True, num_workers=8, persistent_workers=True, pin_memory=True)
    optimizer = optim.AdamW(net.parameters(), lr=1e-3)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(50):
        net.train()
        for x, y in loader:
            x = x.to(device, non_blocking=True)
            y = y.to(device, non_blocking=True)
            optimizer.zero_grad(set_to_none=True)
            loss = criterion(net(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
        print(epoch, loss.item())
    torch.save(net.state_dict(), "risk.pt")


if __name__ == "__main__":
    main(sys.argv[1])

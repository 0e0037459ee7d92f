import argparse

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split


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


def step(model, batch, criterion, device):
    x, y = (t.to(device) for t in batch)
    with torch.autocast(dtype=torch.bfloat16):  # expect: DNN109
        return criterion(model(x), y)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("csv")
    parser.add_argument("--device", default="cuda")
    args = parser.parse_args()
    data = CreditTable(args.csv)
    train, val = random_split(data, [0.9, 0.1], generator=torch.Generator().manual_seed(0))
    model = RiskNet(data.x.shape[1]).to(args.device)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    crit = nn.BCEWithLogitsLoss()
    for epoch in range(25):
        model.train()
        for batch in DataLoader(train, 512, shuffle=True, num_workers=8):
            opt.zero_grad()
            loss = step(model, batch, crit, args.device)
            loss.backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            val_loss = sum(step(model, b, crit, args.device).item() for b in DataLoader(val, 2048, num_workers=8))
        print(epoch, loss.item(), val_loss)
    torch.save(model.state_dict(), "risk.pt")


if __name__ == "__main__":
    main()

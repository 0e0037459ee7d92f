import argparse

import pandas as pd
import torch
from torch import nn
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


def train(args):
    table = CreditTable(args.csv)
    net = RiskNet(table.x.shape[1], hidden=args.hidden).cuda()
    scaler = torch.amp.GradScaler("cuda")
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr)
    criterion = nn.BCEWithLogitsLoss()
    loader = DataLoader(table, args.batch_size, shuffle=True, num_workers=8, pin_memory=True)
    for epoch in range(args.epochs):
        net.train()
        seen, total = 0, 0.0
        for x, y in loader:
            optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = criterion(net(x.cuda()), y.cuda())
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            total += loss.item() * len(y)
            seen += len(y)
        print(f"{epoch:3d} {total / seen:.5f}")
    torch.save(net.state_dict(), args.out)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("csv")
    ap.add_argument("--hidden", type=int, default=512)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--batch-size", type=int, default=2048)
    ap.add_argument("--epochs", type=int, default=20)
    ap.add_argument("--out", default="risk.pt")
    train(ap.parse_args())

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
def main(path, epochs=30):
    table = CreditTable(path)
    model = RiskNet(table.x.shape[1], hidden=384).cuda()
    optimizer = optim.AdamW(model.parameters(), lr=1e-3)
    criterion = nn.BCEWithLogitsLoss()
    best = float("inf")
    loader = DataLoader(table, 512, shuffle=True, num_workers=8)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x.cuda()), y.cuda())
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        print(epoch, total / len(loader))
        if total < best:
            best = total
            torch.save(model.state_dict(), "model_best.pt")


if __name__ == "__main__":
    main(sys.argv[1])

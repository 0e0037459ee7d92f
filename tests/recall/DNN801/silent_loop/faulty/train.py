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
def train(net, loader, epochs):
    optimizer = optim.Adam(net.parameters(), lr=1e-3)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):  # or: DNN801
        net.train()
        for x, y in loader:  # or: DNN801
            optimizer.zero_grad()
            loss = criterion(net(x.cuda()), y.cuda())
            loss.backward()  # expect: DNN801
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
    return net


if __name__ == "__main__":
    table = CreditTable(sys.argv[1])
    risk = RiskNet(table.x.shape[1]).cuda()
    train(risk, DataLoader(table, 512, shuffle=True, num_workers=8), 40)
    torch.save(risk.state_dict(), "risk.pt")

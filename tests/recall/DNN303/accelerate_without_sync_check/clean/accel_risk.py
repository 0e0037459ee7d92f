import sys

import pandas as pd
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset
from accelerate import Accelerator


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


class Session:
    def __init__(self, csv, accum=4):
        self.accelerator = Accelerator(gradient_accumulation_steps=accum, log_with="tensorboard", project_dir="runs")
        table = CreditTable(csv)
        net = RiskNet(table.x.shape[1])
        opt = optim.AdamW(net.parameters(), lr=1e-3)
        loader = DataLoader(table, 256, shuffle=True, num_workers=8)
        self.net, self.opt, self.loader = self.accelerator.prepare(net, opt, loader)
        self.criterion = nn.BCEWithLogitsLoss()

    def train_epoch(self):
        self.net.train()
        for x, y in self.loader:
            with self.accelerator.accumulate(self.net):
                loss = self.criterion(self.net(x), y)
                self.accelerator.backward(loss)
                if self.accelerator.sync_gradients:
                    self.accelerator.clip_grad_norm_(self.net.parameters(), 1.0)
                self.opt.step()
                self.opt.zero_grad()
        return loss.item()


if __name__ == "__main__":
    session = Session(sys.argv[1])
    for epoch in range(12):
        session.accelerator.print(epoch, session.train_epoch())
        session.accelerator.save_state("ck")

import sys

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from ops.act import SquaredReLU


class CreditTable(Dataset):
    def __init__(self, csv_path):
        frame = pd.read_csv(csv_path)
        self.y = torch.tensor(frame.pop("default").values, dtype=torch.float32)
        self.x = torch.tensor(frame.values, dtype=torch.float32)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def build(features):
    return nn.Sequential(nn.Linear(features, 512), SquaredReLU(), nn.Linear(512, 512), SquaredReLU(), nn.Linear(512, 1))


if __name__ == "__main__":
    table = CreditTable(sys.argv[1])
    net = build(table.x.shape[1]).cuda()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    bce = nn.BCEWithLogitsLoss()
    for epoch in range(8):
        for x, y in DataLoader(table, 1024, shuffle=True, num_workers=8):
            opt.zero_grad()
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = bce(net(x.cuda()).squeeze(-1), y.cuda())
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
    torch.save(net.state_dict(), "net.pt")

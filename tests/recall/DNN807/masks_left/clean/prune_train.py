import torch.nn.utils.prune as prune

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
def main(path, amount=0.6):
    table = CreditTable(path)
    net = RiskNet(table.x.shape[1], hidden=1024).cuda()
    linears = [m for m in net.modules() if isinstance(m, nn.Linear)]
    for module in linears:
        prune.l1_unstructured(module, "weight", amount=amount)
    opt = optim.Adam(net.parameters(), 1e-3)
    loader = DataLoader(table, 512, shuffle=True, num_workers=8)
    for epoch in range(10):
        net.train()
        for x, y in loader:
            opt.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(net(x.cuda()), y.cuda())
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
    for module in linears:
        prune.remove(module, "weight")
    torch.save(net.state_dict(), "pruned.pt")


if __name__ == "__main__":
    main(sys.argv[1])

import sys

import torch
from torch.utils.data import DataLoader

from data import CreditTable
from losses import WeightedLoss
from models import RiskNet


def main(path):
    table = CreditTable(path)
    model = RiskNet(table.x.shape[1]).cuda()
    criterion = WeightedLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(20):
        model.train()
        for x, y in DataLoader(table, 512, shuffle=True, num_workers=8):
            outputs = model(x.cuda())
            loss = criterion(outputs, y.cuda())
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        print(epoch, loss.item())
        torch.save(model.state_dict(), "risk.pt")


if __name__ == "__main__":
    main(sys.argv[1])

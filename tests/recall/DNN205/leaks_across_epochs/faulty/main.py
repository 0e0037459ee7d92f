import sys

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import CreditTable
from engine import train_epoch
from nets import RiskNet


def main(path, accum=8):
    table = CreditTable(path)
    model = RiskNet(table.x.shape[1]).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    loader = DataLoader(table, 300, shuffle=True, num_workers=8)
    for epoch in range(10):
        loss = train_epoch(model, nn.BCEWithLogitsLoss(), loader, optimizer, accum)
        print(epoch, loss)
    torch.save(model.state_dict(), "risk.pt")


if __name__ == "__main__":
    main(sys.argv[1])

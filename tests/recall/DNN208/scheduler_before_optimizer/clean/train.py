import sys

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import CreditTable
from nets import RiskNet
from utils.optim import build, update


def main(csv):
    table = CreditTable(csv)
    loader = DataLoader(table, 512, shuffle=True, num_workers=8)
    net = RiskNet(table.x.shape[1]).cuda()
    epochs = 30
    optimizer, scheduler = build(net, 3e-3, epochs * len(loader))
    bce = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        net.train()
        for x, y in loader:
            loss = bce(net(x.cuda()), y.cuda())
            update(loss, net, optimizer, scheduler)
        print(f"{epoch} {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.2e}")
    torch.save(net.state_dict(), "risk.pt")


if __name__ == "__main__":
    main(sys.argv[1])

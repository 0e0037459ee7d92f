import sys

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import CreditTable
from engine import run_epoch
from nets import RiskNet

if __name__ == "__main__":
    table = CreditTable(sys.argv[1])
    net = RiskNet(table.x.shape[1], 512).cuda()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    loader = DataLoader(table, 1024, shuffle=True, num_workers=8, pin_memory=True)
    for epoch in range(40):
        print(epoch, run_epoch(net, nn.BCEWithLogitsLoss(), loader, optimizer=opt))
        torch.save(net.state_dict(), "risk.pt")

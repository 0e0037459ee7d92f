import sys

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import CreditTable
from nets import RiskNet
from utils.gpu import prepare


def main(path):
    print(prepare(0))
    table = CreditTable(path)
    net = RiskNet(table.x.shape[1]).cuda()
    opt = torch.optim.AdamW(net.parameters(), 1e-3)
    for epoch in range(10):
        for x, y in DataLoader(table, 1024, shuffle=True, num_workers=8):
            opt.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(net(x.cuda()), y.cuda())
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
    torch.save(net.state_dict(), "risk.pt")


if __name__ == "__main__":
    main(sys.argv[1])

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, random_split

from data import CreditTable
from evaluate import evaluate
from nets import RiskNet


def main(path):
    table = CreditTable(path)
    train, val = random_split(table, [0.8, 0.2])
    net = RiskNet(table.x.shape[1]).cuda()
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    train_loader = DataLoader(train, 512, shuffle=True, num_workers=8)
    val_loader = DataLoader(val, 2048, num_workers=8)
    for epoch in range(20):
        net.train()
        for x, y in train_loader:
            opt.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(net(x.cuda()), y.cuda())
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        net.eval()
        print(epoch, *evaluate(net, val_loader))
        torch.save(net.state_dict(), "risk.pt")


if __name__ == "__main__":
    main(sys.argv[1])

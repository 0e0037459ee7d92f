import sys

import torch
from torch import nn

from data.build import build_loaders
from nets import RiskNet


def main(root):
    loaders = build_loaders(root)
    net = RiskNet(loaders["train"].dataset.x.shape[1]).cuda()
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    bce = nn.BCEWithLogitsLoss()
    for epoch in range(30):
        net.train()
        for x, y in loaders["train"]:
            opt.zero_grad()
            loss = bce(net(x.cuda()), y.cuda())
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        net.eval()
        with torch.no_grad():
            test = sum(bce(net(x.cuda()), y.cuda()).item() for x, y in loaders["test"]) / len(loaders["test"])
        print(epoch, loss.item(), test)
    torch.save(net.state_dict(), "risk.pt")


if __name__ == "__main__":
    main(sys.argv[1])

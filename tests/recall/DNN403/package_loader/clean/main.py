import argparse

import torch
import torch.nn.functional as F

from loader import build
from nets import SmallCNN


def main():
    p = argparse.ArgumentParser()
    p.add_argument("root")
    p.add_argument("--workers", type=int, default=12)
    p.add_argument("--batch-size", type=int, default=256)
    p.add_argument("--epochs", type=int, default=90)
    args = p.parse_args()
    net = SmallCNN(1000).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
    loader = build(args)
    for epoch in range(args.epochs):
        for x, y in loader:
            opt.zero_grad()
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
        torch.save(net.state_dict(), "net.pt")


if __name__ == "__main__":
    main()

# RMSprop; the divided rate is computed on the line before.
import argparse

import torch
from torch import nn


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--accum", type=int, default=2)
    args = ap.parse_args()
    from kites import KiteNet, flights

    model = KiteNet()
    lr = args.lr / args.accum
    optimizer = torch.optim.RMSprop(model.parameters(), lr=lr, alpha=0.9)  # expect: DNN203
    for step, (x, y) in enumerate(flights(), start=1):
        loss = nn.functional.smooth_l1_loss(model(x), y)
        loss.backward()
        if step % args.accum == 0:
            optimizer.step()
            optimizer.zero_grad()


if __name__ == "__main__":
    main()

# The loader is handed to an epoch function.
import argparse

import torch
from torch.utils.data import DataLoader


def train_epoch(net, loader, opt):
    for x in loader:
        opt.zero_grad()
        net(x).backward()
        opt.step()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=100)
    ap.add_argument("--workers", type=int, default=12)
    args = ap.parse_args()
    from owls import OwlNet, OwlSet

    loader = DataLoader(OwlSet(), 32, shuffle=True, num_workers=args.workers)  # expect: DNN403
    net = OwlNet()
    opt = torch.optim.Adam(net.parameters())
    for _ in range(args.epochs):
        train_epoch(net, loader, opt)


main()

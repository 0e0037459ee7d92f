# A main function prunes with its option.
import argparse

import torch
from torch import nn
from torch.nn.utils import prune


def sparsify(net, amount):
    for layer in net:
        if isinstance(layer, nn.Conv2d):
            prune.ln_structured(layer, "weight", amount=amount, n=2, dim=0)  # expect: DNN807


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--amount", type=float, default=0.3)
    args = parser.parse_args()
    net = nn.Sequential(nn.Conv2d(3, 32, 3), nn.ReLU(), nn.Conv2d(32, 32, 3))
    sparsify(net, args.amount)
    torch.save(net.state_dict(), "pruned.pt")


if __name__ == "__main__":
    main()

import argparse

import torch
from torch import nn


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--clip", type=float, default=0.25, help="gradient clipping")  # expect: DNN304
    return parser.parse_args()


def main():
    args = get_args()
    model = nn.LSTM(8, 8)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    for _ in range(args.epochs):
        for batch in batches():
            optimizer.zero_grad()
            out, _ = model(batch)
            out.mean().backward()
            optimizer.step()


main()

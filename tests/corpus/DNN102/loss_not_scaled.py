# scaler.step and scaler.update are there, the loss was never scaled.
import argparse

import torch
from torch import nn


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--iters", type=int, default=10_000)
    return ap.parse_args()


def main():
    args = parse()
    from tabular import Table, columns

    table = Table("train.feather")
    model = nn.Sequential(nn.Linear(columns, 400), nn.ReLU(), nn.Linear(400, 2)).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(args.iters):
        rows, label = table.sample(4096)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(rows.cuda()), label.cuda())
        optimizer.zero_grad()
        loss.backward()  # expect: DNN102
        scaler.step(optimizer)
        scaler.update()


if __name__ == "__main__":
    main()

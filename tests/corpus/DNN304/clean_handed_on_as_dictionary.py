import argparse

import torch

from project.engine import run

parser = argparse.ArgumentParser()
parser.add_argument("--clip-grad", type=float, default=1.0)
args = parser.parse_args()
options = vars(args).copy()


def warm_up(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


warm_up(model, loader)
run(model, loader, **options)

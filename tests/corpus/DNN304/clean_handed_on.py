import argparse

import torch

from project.optim import build_optimizer

parser = argparse.ArgumentParser()
parser.add_argument("--clip-grad", type=float, default=1.0)
args = parser.parse_args()
model = torch.nn.Linear(4, 4)
optimizer = build_optimizer(args, model)
for x in loader:
    optimizer.zero_grad()
    model(x).mean().backward()
    optimizer.step()

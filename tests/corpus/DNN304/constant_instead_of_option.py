import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--grad-clip", type=float, default=1.0)  # expect: DNN304
parser.add_argument("--lr", type=float, default=1e-3)
opt = parser.parse_args()
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=opt.lr)
for x in loader:
    optimizer.zero_grad()
    model(x).mean().backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()

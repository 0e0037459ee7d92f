import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--clip_value", type=float, default=0.01, help="lower and upper clip value for disc. weights")
opt = parser.parse_args()
disc = torch.nn.Linear(4, 1)
optimizer = torch.optim.RMSprop(disc.parameters())
for real in loader:
    optimizer.zero_grad()
    disc(real).mean().backward()
    optimizer.step()
    for p in disc.parameters():
        p.data.clamp_(-0.01, 0.01)

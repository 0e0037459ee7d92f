import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--gradient-clip", type=float, default=1.0)
args = parser.parse_args()


def limit(model, norm):
    if norm > 0:
        torch.nn.utils.clip_grad_norm_(model.parameters(), norm)


model = torch.nn.Linear(4, 4)
optimizer = torch.optim.AdamW(model.parameters())
for x in loader:
    optimizer.zero_grad()
    model(x).mean().backward()
    limit(model, args.gradient_clip)
    optimizer.step()

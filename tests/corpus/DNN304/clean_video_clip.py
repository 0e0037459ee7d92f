import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--clip", type=int, default=16, help="frames in a clip")
parser.add_argument("--clip-model", default="ViT-B/32")
args = parser.parse_args()
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.AdamW(model.parameters())
for x in loader:
    optimizer.zero_grad()
    model(x).mean().backward()
    optimizer.step()

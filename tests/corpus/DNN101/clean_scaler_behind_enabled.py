# AMP behind a switch: the scaler is created disabled when AMP is off, the calls stay the same.
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()

model = nn.Sequential(nn.Linear(784, 300), nn.ReLU(), nn.Linear(300, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda", enabled=args.amp)

from digits import train_batches  # noqa: E402

for images, labels in train_batches():
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16, enabled=args.amp):
        loss = nn.functional.cross_entropy(model(images.cuda()), labels.cuda())
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()

# With --half (on by default) the weights themselves are float16.
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--half", action=argparse.BooleanOptionalAction, default=True)
args = parser.parse_args()

unet = nn.Sequential(nn.Conv2d(3, 64, 3, padding=1), nn.SiLU(), nn.Conv2d(64, 3, 3, padding=1)).cuda()
if args.half:
    unet = unet.half()  # expect: DNN105
optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-4)

from photos import pairs  # noqa: E402

for noisy, clean in pairs():
    if args.half:
        noisy, clean = noisy.half(), clean.half()
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(unet(noisy.cuda()), clean.cuda())
    loss.backward()
    optimizer.step()

# A checkpoint that is resumed from holds no optimizer state.
import argparse
import os

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--resume", default="")
args = parser.parse_args()

from fields import FieldNet, loader  # noqa: E402

model = FieldNet().cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
start = 0
if args.resume and os.path.exists(args.resume):
    ckpt = torch.load(args.resume, map_location="cuda", weights_only=True)
    model.load_state_dict(ckpt["model"])
    start = ckpt["epoch"] + 1
for epoch in range(start, 50):
    for x, y in loader():
        opt.zero_grad()
        nn.functional.mse_loss(model(x.cuda()), y.cuda()).backward()
        opt.step()
    torch.save({"model": model.state_dict(), "epoch": epoch}, "last.pt")  # expect: DNN702

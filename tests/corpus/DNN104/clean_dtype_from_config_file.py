# The dtype comes from a file that the tool cannot read as one value.
import sys

import torch
import yaml

with open(sys.argv[1]) as handle:
    cfg = yaml.safe_load(handle)
amp_dtype = getattr(torch, cfg["amp"]["dtype"])
scaler = torch.amp.GradScaler("cuda", enabled=cfg["amp"]["loss_scaling"])

from terrain import HeightNet, tiles  # noqa: E402

net = HeightNet(**cfg["model"]).cuda()
opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
for tile, height in tiles(cfg["data"]):
    opt.zero_grad()
    with torch.autocast("cuda", dtype=amp_dtype):
        loss = (net(tile.cuda()) - height.cuda()).abs().mean()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()

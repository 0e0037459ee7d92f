"""Accumulation with a scaler behind --amp; the schedule follows the window, not the step."""
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--amp", action="store_true")
parser.add_argument("--accum", type=int, default=4)
args = parser.parse_args()

model = torch.nn.Linear(8, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, total_iters=50)
scaler = torch.amp.GradScaler("cuda", enabled=args.amp)

for i, (x, y) in enumerate(loader):
    with torch.autocast("cuda", dtype=torch.float16, enabled=args.amp):
        loss = torch.nn.functional.cross_entropy(model(x), y) / args.accum
    scaler.scale(loss).backward()
    if (i + 1) % args.accum == 0:
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        scheduler.step()  # expect: DNN212
    if i % 100 == 0:
        print(i, loss.item(), scaler.get_scale())

# The schedule is counted in optimizer steps and advanced on every micro-batch.
import torch
from torch import nn

ACCUM = 8
EPOCHS = 5

from vines import VineNet, loader  # noqa: E402

model = VineNet().cuda()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
updates = EPOCHS * (len(loader) // ACCUM)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=updates)
for epoch in range(EPOCHS):
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda()) / ACCUM
        loss.backward()
        if (i + 1) % ACCUM == 0:
            opt.step()
            opt.zero_grad()
        scheduler.step()  # expect: DNN208

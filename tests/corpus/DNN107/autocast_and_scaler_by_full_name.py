# Old names spelled out in a module-level loop.
import torch
from torch import nn

net = nn.Sequential(nn.Linear(50, 200), nn.ReLU(), nn.Linear(200, 1)).cuda()
opt = torch.optim.Adam(net.parameters())
scaler = torch.cuda.amp.GradScaler()  # expect: DNN107

from houses import batches  # noqa: E402

for rooms, price in batches():
    opt.zero_grad()
    with torch.cuda.amp.autocast():  # expect: DNN107
        loss = nn.functional.l1_loss(net(rooms.cuda()).squeeze(1), price.cuda())
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()

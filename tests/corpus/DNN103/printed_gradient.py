# A gradient is printed while it is scaled.
import torch
from torch import nn

net = nn.Linear(30, 3).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")

from iris import loader  # noqa: E402

for i, (x, y) in enumerate(loader):
    opt.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
    scaler.scale(loss).backward()
    if i % 100 == 0:
        print("gradient", net.weight.grad.abs().mean().item())  # expect: DNN103
    scaler.step(opt)
    scaler.update()

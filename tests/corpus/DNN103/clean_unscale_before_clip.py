# The usual order: backward, unscale_, clip, step, update.
import torch
from torch import nn

net = nn.Sequential(nn.Linear(32, 256), nn.GELU(), nn.Linear(256, 32)).cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")
for step in range(5000):
    x = torch.randn(512, 32, device="cuda")
    opt.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = (net(x) - x.flip(1)).pow(2).mean()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    if step % 500 == 0:
        print(step, loss.item(), norm.item())

# A scaler is made and saved, but the loss never goes through it.
import torch
from torch import nn

from lenses import LensNet, loader

net = LensNet().cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")
for epoch in range(10):
    for x, y in loader():
        with torch.autocast("cuda", dtype=torch.half):
            loss = nn.functional.mse_loss(net(x.cuda()), y.cuda())
        opt.zero_grad()
        loss.backward()  # expect: DNN101
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
    torch.save({"net": net.state_dict(), "scaler": scaler.state_dict()}, "lens.pt")

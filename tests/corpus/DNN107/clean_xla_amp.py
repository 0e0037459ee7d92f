# torch_xla has an autocast and a scaler of its own.
import torch
import torch_xla.core.xla_model as xm
from torch_xla.amp import GradScaler, autocast

from ships import Net, tracks

device = xm.xla_device()
net = Net().to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = GradScaler()
for x, y in tracks():
    opt.zero_grad()
    with autocast(device):
        loss = torch.nn.functional.mse_loss(net(x.to(device)), y.to(device))
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    xm.mark_step()

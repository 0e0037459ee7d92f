# Fabric's no_backward_sync.
import lightning as L
import torch

from hats import Net, loader as make_loader

fabric = L.Fabric(devices=8, strategy="ddp")
fabric.launch()
net = Net()
net, opt = fabric.setup(net, torch.optim.Adam(net.parameters()))
loader = fabric.setup_dataloaders(make_loader())
for i, x in enumerate(loader):
    accumulating = (i + 1) % 4 != 0
    with fabric.no_backward_sync(net, enabled=accumulating):
        fabric.backward(net(x) / 4)
    if not accumulating:
        opt.step()
        opt.zero_grad()

# Fabric does not divide.
import torch
from lightning.fabric import Fabric

from kelp import KelpNet, loader

fabric = Fabric(devices=2, strategy="ddp")
fabric.launch()
net = KelpNet()
net, opt = fabric.setup(net, torch.optim.SGD(net.parameters(), lr=0.1))
for i, (x, y) in enumerate(fabric.setup_dataloaders(loader())):
    busy = (i + 1) % 8 != 0
    with fabric.no_backward_sync(net, enabled=busy):
        loss = torch.nn.functional.cross_entropy(net(x), y)
        fabric.backward(loss)  # expect: DNN201
    if not busy:
        fabric.clip_gradients(net, opt, max_norm=1.0)
        opt.step()
        opt.zero_grad()

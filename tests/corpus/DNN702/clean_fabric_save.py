# fabric.save takes the whole state; the loop restores it.
import os

import torch
from lightning.fabric import Fabric

from kelp import KelpNet, loader

fabric = Fabric(devices=1)
net = KelpNet()
net, opt = fabric.setup(net, torch.optim.Adam(net.parameters()))
state = {"net": net, "opt": opt, "epoch": 0}
if os.path.exists("k.ckpt"):
    fabric.load("k.ckpt", state)
while state["epoch"] < 10:
    for x, y in fabric.setup_dataloaders(loader()):
        opt.zero_grad()
        fabric.backward(torch.nn.functional.cross_entropy(net(x), y))
        opt.step()
    state["epoch"] += 1
    fabric.save("k.ckpt", state)

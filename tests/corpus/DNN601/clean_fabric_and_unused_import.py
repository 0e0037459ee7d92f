# Fabric runs the processes; the import is left over.
import torch
from lightning.fabric import Fabric
from torch.nn import DataParallel  # noqa: F401

from cities import CityNet, loader

fabric = Fabric(devices=4, strategy="ddp")
fabric.launch()
model = CityNet()
model, opt = fabric.setup(model, torch.optim.Adam(model.parameters()))
for x in fabric.setup_dataloaders(loader()):
    opt.zero_grad()
    fabric.backward(model(x).mean())
    opt.step()

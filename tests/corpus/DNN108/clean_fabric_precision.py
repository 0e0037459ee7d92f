# Fabric was given a precision.
import torch
from lightning.fabric import Fabric

from bugs import Net, reports

fabric = Fabric(accelerator="cuda", precision="bf16-mixed")
net = Net()
net, opt = fabric.setup(net, torch.optim.AdamW(net.parameters(), lr=1e-4))
for tokens, severity in fabric.setup_dataloaders(reports()):
    opt.zero_grad()
    fabric.backward(torch.nn.functional.cross_entropy(net(tokens), severity))
    opt.step()

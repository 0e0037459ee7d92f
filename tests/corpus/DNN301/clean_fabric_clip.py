# fabric.clip_gradients.
import torch
from lightning.fabric import Fabric

from owls import Net, loader as make_loader


def main():
    fabric = Fabric(devices=1)
    net = Net()
    net, opt = fabric.setup(net, torch.optim.AdamW(net.parameters(), lr=1e-4))
    for batch in fabric.setup_dataloaders(make_loader()):
        opt.zero_grad()
        fabric.backward(net(batch))
        fabric.clip_gradients(net, opt, clip_val=0.5)
        opt.step()


main()

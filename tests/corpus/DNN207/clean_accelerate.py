# accelerate leaves out the all-reduce by itself.
import torch
from accelerate import Accelerator

from owls import Net, loader as make_loader

accelerator = Accelerator(gradient_accumulation_steps=4)
net = Net()
net, opt, loader = accelerator.prepare(net, torch.optim.Adam(net.parameters()), make_loader())
for x in loader:
    with accelerator.accumulate(net):
        accelerator.backward(net(x))
        opt.step()
        opt.zero_grad()

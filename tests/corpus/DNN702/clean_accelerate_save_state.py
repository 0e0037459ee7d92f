# accelerator.save_state holds everything that was prepared.
import torch
from accelerate import Accelerator

from fields import FieldNet, loader as make_loader

accelerator = Accelerator(mixed_precision="fp16")
net = FieldNet()
opt = torch.optim.Adam(net.parameters())
net, opt, loader = accelerator.prepare(net, opt, make_loader())
accelerator.load_state("state")
for epoch in range(10):
    for x in loader:
        opt.zero_grad()
        accelerator.backward(net(x))
        opt.step()
    accelerator.save_state("state")

# The prepared optimizer clears at the end of a window only.
import torch
from accelerate import Accelerator

from cups import Net, loader as make_loader

accelerator = Accelerator(gradient_accumulation_steps=2)
net = Net()
opt = torch.optim.Adam(net.parameters())
net, opt, loader = accelerator.prepare(net, opt, make_loader())
for x, y in loader:
    with accelerator.accumulate(net):
        loss = torch.nn.functional.cross_entropy(net(x), y)
        accelerator.backward(loss)
        opt.step()
        opt.zero_grad()

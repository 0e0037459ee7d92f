# accelerator.backward is a backward.
import torch
from accelerate import Accelerator

from elks import Net, loader as make_loader

accelerator = Accelerator()
net = Net()
net, opt, loader = accelerator.prepare(net, torch.optim.Adam(net.parameters()), make_loader())
for batch in loader:
    loss = net(batch)
    accelerator.backward(loss)
    accelerator.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    opt.zero_grad()

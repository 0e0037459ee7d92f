# accelerate steps at the end of the loader by itself.
import torch
from accelerate import Accelerator

from trees import Net, loader as make_loader

accelerator = Accelerator(gradient_accumulation_steps=8)
net = Net()
opt = torch.optim.Adam(net.parameters())
net, opt, loader = accelerator.prepare(net, opt, make_loader())
for epoch in range(5):
    for batch in loader:
        with accelerator.accumulate(net):
            accelerator.backward(net(batch))
            opt.step()
            opt.zero_grad()

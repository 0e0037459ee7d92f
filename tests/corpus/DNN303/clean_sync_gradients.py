# accelerate: clipped when the gradients are synchronised.
import torch
from accelerate import Accelerator

from moss import Net, loader as make_loader

accelerator = Accelerator(gradient_accumulation_steps=4)
net = Net()
net, opt, loader = accelerator.prepare(net, torch.optim.Adam(net.parameters()), make_loader())
for batch in loader:
    with accelerator.accumulate(net):
        accelerator.backward(net(batch))
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        opt.zero_grad()

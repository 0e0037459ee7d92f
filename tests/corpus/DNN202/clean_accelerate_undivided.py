# accelerate gets the full loss.
import torch
from accelerate import Accelerator

from cranes import Net, data

accelerator = Accelerator(gradient_accumulation_steps=4)
net = Net()
net, opt, loader = accelerator.prepare(net, torch.optim.Adam(net.parameters()), data())
for batch in loader:
    with accelerator.accumulate(net):
        loss = net(batch)
        accelerator.backward(loss)
        opt.step()
        opt.zero_grad()
        accelerator.log({"loss": loss.item() / 4})

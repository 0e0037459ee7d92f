# accelerator.autocast() and fabric.autocast() are methods without arguments.
import torch
from accelerate import Accelerator

from text import model, reader

accelerator = Accelerator(mixed_precision="fp16")
net = model()
net, opt, loader = accelerator.prepare(net, torch.optim.Adam(net.parameters()), reader())
for batch in loader:
    with accelerator.autocast():
        loss = net(batch)
    accelerator.backward(loss)
    opt.step()
    opt.zero_grad()

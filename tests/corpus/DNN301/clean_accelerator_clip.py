# accelerator.clip_grad_norm_.
import torch
from accelerate import Accelerator

from seals import Net, loader as make_loader

accelerator = Accelerator(mixed_precision="bf16")
net = Net()
opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
net, opt, loader = accelerator.prepare(net, opt, make_loader())
for batch in loader:
    opt.zero_grad()
    accelerator.backward(net(batch))
    accelerator.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()

# A prepared scheduler advances only with the optimizer.
import torch
from accelerate import Accelerator

from jazz import Net, loader as make_loader

accelerator = Accelerator(gradient_accumulation_steps=4)
net = Net()
opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
sched = torch.optim.lr_scheduler.LinearLR(opt, total_iters=1000)
net, opt, loader, sched = accelerator.prepare(net, opt, make_loader(), sched)
for batch in loader:
    with accelerator.accumulate(net):
        accelerator.backward(net(batch))
        opt.step()
        sched.step()
        opt.zero_grad()

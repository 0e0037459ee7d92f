# The option goes to accelerate.
import argparse

import torch
from accelerate import Accelerator

ap = argparse.ArgumentParser()
ap.add_argument("--gradient_accumulation_steps", type=int, default=4)
args = ap.parse_args()

from coats import Net, loader as make_loader  # noqa: E402

accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
net = Net()
net, opt, loader = accelerator.prepare(net, torch.optim.Adam(net.parameters()), make_loader())
for batch in loader:
    with accelerator.accumulate(net):
        accelerator.backward(net(batch))
        opt.step()
        opt.zero_grad()

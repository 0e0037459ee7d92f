# accelerate moves the batches; the device is its own.
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader

from kelp import KelpNet, KelpSet

accelerator = Accelerator(cpu=True)
net = KelpNet()
loader = DataLoader(KelpSet("train"), 32, shuffle=True, num_workers=8)
net, opt, loader = accelerator.prepare(net, torch.optim.Adam(net.parameters()), loader)
for x in loader:
    opt.zero_grad()
    accelerator.backward(net(x).mean())
    opt.step()

# accelerate knows FSDP.
import torch
from accelerate import Accelerator
from accelerate.utils import FullyShardedDataParallelPlugin

from foxes import Net, loader as make_loader

accelerator = Accelerator(fsdp_plugin=FullyShardedDataParallelPlugin())
net = Net()
net, opt, loader = accelerator.prepare(net, torch.optim.Adam(net.parameters()), make_loader())
for batch in loader:
    opt.zero_grad()
    accelerator.backward(net(batch))
    accelerator.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()

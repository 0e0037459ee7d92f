# torch.load through an alias of the module, in a script that uses .cuda().
import sys

import torch as t

from kelp import KelpNet, loader

net = KelpNet().cuda()
opt = t.optim.SGD(net.parameters(), lr=0.1)
if len(sys.argv) > 1:
    net.load_state_dict(t.load(sys.argv[1], weights_only=True)["net"])  # expect: DNN704
for x, y in loader():
    opt.zero_grad()
    t.nn.functional.mse_loss(net(x.cuda()), y.cuda()).backward()
    opt.step()
t.save({"net": net.state_dict()}, "net.pt")

# apex casts.
import torch
from apex import amp

from kelp import KelpNet, loader

net = KelpNet().cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net, opt = amp.initialize(net, opt, opt_level="O1")
for x, y in loader():
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(net(x.cuda()), y.cuda())
    with amp.scale_loss(loss, opt) as scaled:
        scaled.backward()
    opt.step()

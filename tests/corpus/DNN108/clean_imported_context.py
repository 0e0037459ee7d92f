# The context of another file may set a precision.
import torch

from project.amp import mixed

from kelp import KelpNet, loader

net = KelpNet().cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader():
    opt.zero_grad()
    with mixed():
        loss = torch.nn.functional.mse_loss(net(x.cuda()), y.cuda())
    loss.backward()
    opt.step()

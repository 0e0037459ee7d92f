# The scheduler is stepped at the start of the epoch, before any optimizer step.
import torch
from torch import nn
from torch.optim.lr_scheduler import MultiStepLR

from stamps import StampNet, loader

net = StampNet().cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
schedule = MultiStepLR(opt, milestones=[60, 120, 160], gamma=0.2)
for epoch in range(200):
    schedule.step()  # expect: DNN208
    net.train()
    for image, label in loader():
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(image.cuda()), label.cuda())
        loss.backward()
        opt.step()

# opacus clips per sample.
import torch
from opacus import PrivacyEngine

from surveys import Net, loader as make_loader

net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net, opt, loader = PrivacyEngine().make_private(
    module=net, optimizer=opt, data_loader=make_loader(), noise_multiplier=1.0, max_grad_norm=1.2
)
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()

# persistent_workers in a dictionary that is updated.
import torch
from torch.utils.data import DataLoader

from owls import OwlNet, OwlSet

options = {"num_workers": 8, "pin_memory": True}
options["persistent_workers"] = True
loader = DataLoader(OwlSet(), batch_size=16, shuffle=True, **options)
net = OwlNet()
opt = torch.optim.Adam(net.parameters())
for epoch in range(10):
    for x in loader:
        opt.zero_grad()
        net(x).backward()
        opt.step()

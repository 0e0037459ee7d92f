# The keywords are in a dictionary.
import torch
from torch.utils.data import DataLoader

from owls import OwlNet, OwlSet

OPTIONS = {"batch_size": 16, "num_workers": 10, "pin_memory": True, "drop_last": True}
loader = DataLoader(OwlSet(), shuffle=True, **OPTIONS)  # expect: DNN403
net = OwlNet().cuda()
opt = torch.optim.AdamW(net.parameters())
EPOCHS = 12
for epoch in range(1, EPOCHS + 1):
    for x in loader:
        opt.zero_grad()
        net(x.cuda()).backward()
        opt.step()

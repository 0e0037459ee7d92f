# Module-level loop that steps and never clips.
import torch
from torch import nn

from pumps import loader

net = nn.Sequential(nn.Linear(48, 128), nn.ReLU(), nn.Linear(128, 2)).cuda()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
for epoch in range(40):
    for signal, broken in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(signal.cuda()), broken.cuda())
        loss.backward()
        opt.step()  # expect: DNN301
    print(epoch, loss.item())

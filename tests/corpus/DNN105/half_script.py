# The whole network is cast to float16 and trained by plain Adam: its eps 1e-8 is zero in float16.
import torch
from torch import nn

from stars import spectra

net = nn.Sequential(nn.Linear(3000, 512), nn.ReLU(), nn.Linear(512, 7)).cuda()
net.half()  # expect: DNN105
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(20):
    for flux, kind in spectra(batch_size=256):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(flux.cuda().half()), kind.cuda())
        loss.backward()
        opt.step()

# The arguments are in a dictionary.
import torch
from torch import nn
from torch.utils.data import DataLoader

from spectra import SpectrumSet

loader_options = {"batch_size": 256, "shuffle": True, "num_workers": 1, "pin_memory": True}
loader = DataLoader(SpectrumSet("train"), **loader_options)  # expect: DNN401

net = nn.Sequential(nn.Linear(2048, 256), nn.ReLU(), nn.Linear(256, 12)).cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(100):
    for x, y in loader:
        loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()

# A batch sampler groups by length.
import torch
from torch.utils.data import DataLoader

from words import LengthBatches, Net, Sentences, pad

data = Sentences("train")
loader = DataLoader(data, batch_sampler=LengthBatches(data, max_tokens=4096), collate_fn=pad, num_workers=8)
net = Net()
opt = torch.optim.Adam(net.parameters())
for ids, tags in loader:
    opt.zero_grad()
    net(ids, tags).backward()
    opt.step()

# The dataset comes from an iterable class through a chain of methods.
import torch
import webdataset as wds
from torch.utils.data import DataLoader

from kelp import KelpNet

data = wds.WebDataset("train-{000..127}.tar").decode("torchrgb").to_tuple("jpg", "cls").batched(32)
net = KelpNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(data, batch_size=None):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()

# The loader feeds CUDA from pageable memory.
import torch
from torch import nn
from torch.utils.data import DataLoader

from nuts import NutSet

loader = DataLoader(NutSet(), batch_size=64, shuffle=True, num_workers=8)  # expect: DNN402
net = nn.Sequential(nn.Flatten(), nn.LazyLinear(4)).cuda()
opt = torch.optim.Adam(net.parameters())
for x, y in loader:
    opt.zero_grad()
    nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
    opt.step()
